#if NATS
import SluiceRuns
import Testing

@testable import SluiceNATS

@Suite struct OutputSubjectTests {
    @Test(arguments: [true, false]) func aRunIsReadFromItsCopyAlone(_ isFromStart: Bool) throws {
        let request = SharedOutputRequest(stream: "a.b *", isFromStart: isFromStart)
        let text = try OutputSubject.text(ofRun: "R", for: request)
        let subject = try #require(OutputSubject(text))
        #expect(text.hasPrefix(try OutputSubject.all(of: "a.b *").dropLast()))
        #expect(subject.run == "R")
        #expect(subject.isRead(fromStart: isFromStart) && !subject.isRead(fromStart: !isFromStart))
    }

    @Test func aPartitionIsReadFromBoth() throws {
        let unit = WorkUnit("a", 2, 13)
        let text = try OutputSubject.text(of: unit, in: "start")
        #expect(text == "sluice.outputs.a.start.2.13")
        let subject = try #require(OutputSubject(text))
        #expect(subject.run == nil && subject.isRead(fromStart: true) && subject.isRead(fromStart: false))
    }

    @Test(arguments: ["", "sluice.outputs.a", "sluice.outputs.a.R.other", "sluice.outputs.a.g.1.2.3"])
    func anotherSubjectIsNone(_ text: String) { #expect(OutputSubject(text) == nil) }
}
#endif
