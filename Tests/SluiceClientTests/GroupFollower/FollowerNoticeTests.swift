#if HTTP
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceClient

@Suite struct FollowerNoticeTests {
    @Test func linesAreJSON() throws {
        let errors = JSONErrors([JSONError(.invalidValue, "no \"x\"", at: JSONPosition(line: 1, column: 2, offset: 1))])
        let event = StreamEvent<JSON>(time: StreamTime(seconds: 1.5) ?? .zero, kind: .value(["a": 1]))
        let failure = StreamEvent<JSON>(
            time: StreamTime(seconds: 2) ?? .zero,
            kind: .failed(StreamError(message: "broken"))
        )
        let notices: [(FollowerNotice, String)] = [
            (
                .event(stream: "a\"b", at: .init(revision: 2, run: 3, sequence: 4), event),
                #"{"stream": "a\"b", "revision": 2, "run": 3, "sequence": 4, "time": 1.5, "value": {"a":1}}"#
            ),
            (
                .taken(stream: "a", revision: 1, name: "N", how: .started),
                #"{"stream": "a", "revision": 1, "taken": "started", "name": "N"}"#
            ),
            (
                .event(stream: "a", at: .init(revision: 2, run: 3, sequence: 4), failure),
                #"{"stream": "a", "revision": 2, "run": 3, "time": 2, "error": "broken"}"#
            ),
            (
                .taken(stream: "a", revision: 1, name: "N", how: .resumed),
                #"{"stream": "a", "revision": 1, "taken": "resumed"}"#
            ),
            (
                .taken(stream: "a", revision: 1, name: "N", how: .restarted),
                #"{"stream": "a", "revision": 1, "taken": "restarted"}"#
            ),
            (
                .refused(stream: "a", revision: 3, errors: errors),
                #"{"stream": "a", "revision": 3, "taken": false, "errors": ["1:2: no \"x\""]}"#
            ),
            (.waiting(stream: "a", reason: "no \"x\""), #"{"stream": "a", "waiting": "no \"x\""}"#),
            (.removed(stream: "a"), #"{"stream": "a", "removed": true}"#),
        ]
        for (notice, line) in notices {
            #expect(notice.line == line)
            #expect(throws: Never.self) { try JSON(parsing: line) }
        }
        #expect(FollowerNotice.hubIsBack.line == nil && FollowerNotice.problem("x").line == nil)
    }
}
#endif
