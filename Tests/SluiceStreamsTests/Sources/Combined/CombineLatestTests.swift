import SluiceJSON
import SluiceStreams
import Testing

@Suite struct CombineLatestTests {
    let sum = #"{"combineLatest": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a * 10 + b"}}"#

    @Test func theLatestOfAll() throws {
        try expectJoined(sum, "1-2--|", "-3-4|", gives: "-'13' '23' '24'-|")
        let list = #"{"combineLatest": [{"ref": "a"}, {"ref": "b"}]}"#
        try expectJoined(list, "1|", "-x|", gives: "-'[1,\"x\"]'|")
    }

    @Test func ends() throws {
        try expectJoined(sum, "|", "-3|", gives: "--|")
        try expectJoined(sum, "1-#", "--3|", gives: "--#")
        try expectJoined(sum, "1-|", "----", gives: "----")
        try expectJoined(#"{"combineLatest": []}"#, "|", "|", gives: "|")
    }

    /// A row that is retained does not change.
    @Test func rowsStay() {
        let rows = Flow.combineLatest([.values(1), .values(2, 3, 4)]).virtualEvents().compactMap(\.value)
        #expect(rows == [[1, 2], [1, 3], [1, 4]])
    }

    @Test func native() {
        let letters = Flow.values("a", "b")
        let pairs = Flow.values(1, 2).combineLatest(letters).map { "\($0)\($1)" }
        #expect(text(pairs.virtualEvents()) == ["0:2a", "0:2b", "0|"])
        let threes = Flow.values(1).combineLatest(letters, .values(0.5)).map { "\($0)\($1)\($2)" }
        #expect(text(threes.virtualEvents()) == ["0:1b0.5", "0|"])
        let fours = Flow.values(1).combineLatest(letters, .values(2), .values(3, 4)).map { "\($0)\($1)\($2)\($3)" }
        #expect(text(fours.virtualEvents()) == ["0:1b23", "0:1b24", "0|"])
        let failing = Flow.values(1).combineLatest(Flow<Int>.fail(StreamError(message: "x"))).map { $0 + $1 }
        #expect(text(failing.virtualEvents()) == ["0# x"])
        #expect(text(Flow.values(1).combineLatest(Flow<Int>.never).map { $0 + $1 }.virtualEvents()) == [])
        #expect(
            text(Flow<Int?>.values(nil, 1).combineLatest(letters).map { "\($0 ?? 0)\($1)" }.virtualEvents()).count == 3
        )
    }
}
