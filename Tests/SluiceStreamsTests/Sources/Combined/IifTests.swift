import SluiceJSON
import SluiceStreams
import Testing

struct IifTests {
    @Test func choosesAtTheSubscription() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"values": [1, 5, 7]}, "operators": [
                    {"concatMap": {"to": {"iif": {"condition": "a > 3", "then": {"timer": {"seconds": 2}},
                                                  "else": {"values": [0, 0]}}}, "expression": "a"}}
                ]}
                """#
        )
        #expect(Array(try document.virtualEvents()).compactMap(\.value) == [1, 1, 5, 7])
        #expect(Array(try document.virtualEvents()).map(\.time.seconds) == [0, 0, 2, 4, 4])
    }

    @Test func withoutTheSecondItCompletes() throws {
        let text = #"{"source": {"iif": {"condition": "false", "then": {"never": {}}}}}"#
        #expect(Array(try StreamDocument(parsing: text).virtualEvents()).map(\.kind) == [.completed])
    }

    @Test func seesParameters() throws {
        let text =
            #"{"parameters": {"fast": true}, "source": {"iif": {"condition": "${fast}", "then": {"values": [1]}}}}"#
        #expect(Array(try StreamDocument(parsing: text).virtualEvents()).compactMap(\.value) == [1])
    }

    @Test func aConditionThatIsNoneIsRefused() throws {
        #expect(throws: (any Error).self) {
            try StreamDocument(parsing: #"{"source": {"iif": {"condition": "1", "then": {"never": {}}}}}"#).flow()
        }
    }

    @Test func ofNativeStreams() {
        #expect(Flow.iif({ true }, then: .values(1), else: .values(2)).virtualEvents().compactMap(\.value) == [1])
        #expect(Flow.iif({ false }, then: .values(1)).virtualEvents().compactMap(\.value) == [])
    }
}
