import Testing

@testable import SluiceRuns

struct SubscriptionPositionTests {
    @Test(arguments: ["2-17", "0-0", "2-17@1795/3", "0-0@", "1-1@a@b", "2-17@start:1795/3", "0-0@start:"])
    func aPositionIsReadAsItWasWritten(text: String) {
        #expect(SubscriptionPosition(text)?.description == text)
    }

    @Test(arguments: ["", "@1", "2", "2-x", "2-17-3", "-", "2-17 @1"])
    func otherTextsAreNoPositions(text: String) { #expect(SubscriptionPosition(text) == nil) }

    @Test func bothPartsAreKept() {
        var position = SubscriptionPosition(OutputPlace(run: 2, sequence: 17))
        #expect(position.shared == nil)
        position.shared = "9/4"
        #expect("\(position)" == "2-17@9/4")
        position.place = OutputPlace(run: 3, sequence: 1)
        #expect("\(position)" == "3-1@9/4")
        position.isFromStart = true
        #expect("\(position)" == "3-1@start:9/4")
        #expect(SubscriptionPosition("\(position)") == position)
        // It is a property of the shared ones.
        position.shared = nil
        #expect("\(position)" == "3-1")
    }
}
