import SluiceJSON
import SluiceStreams
import Testing

struct SampleTimeTests {
    static let sampleTime = #"[{"sampleTime": {"seconds": 3}}]"#

    @Test func theLatestAtEachTick() throws { try expect("12--3--4-|", Self.sampleTime, gives: "---2--3--|") }

    @Test func completionDropsWhatWaits() throws { try expect("12|", Self.sampleTime, gives: "--|") }

    @Test func errorPasses() throws { try expect("12#", Self.sampleTime, gives: "--#") }

    @Test func emptyAndNever() throws {
        try expect("|", Self.sampleTime, gives: "|")
        try expect("1-", Self.sampleTime, gives: "---1")
    }

    @Test func leaving() throws { try expect("12--3", Self.sampleTime, gives: "---2", leaving: 6) }

    @Test func noTimeIsRefused() throws {
        let text = #"{"source": {"never": {}}, "operators": [{"sampleTime": {"seconds": 0}}]}"#
        let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
        #expect(errors?.errors.map(\.message) == ["expected a number of seconds above 0, found 0"])
        #expect(errors?.errors.map(\.path.description) == ["operators[0].sampleTime.seconds"])
    }

    @Test func noTimeInCodeEndsInAnError() {
        let flow = Flow<Int>.never.sample(every: .zero)
        #expect(
            text(flow.virtualEvents(limits: StreamLimits(eventsPerInstant: 100))) == [
                "0# more than 100 events at one instant: does something repeat without a delay?"
            ]
        )
    }
}
