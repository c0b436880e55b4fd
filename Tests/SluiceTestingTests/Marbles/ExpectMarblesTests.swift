import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

@Suite struct ExpectMarblesTests {
    private let model = StreamModel(stream: [
        StreamItem<JSON>(value: "a", operators: [.delay(seconds: 2)]),
        StreamItem<JSON>(value: 7, operators: [.delay(seconds: 1)]),
    ])

    @Test func whatIsAlikePasses() {
        #expect(expect(model.virtualEvents(), "--a(7|)", frame: 1))
        #expect(expect(model.virtualEvents(), "2s a 999ms (x|)", values: ["x": 7]))
    }

    @Test func aDifferenceFailsWithBothDiagrams() {
        withKnownIssue {
            #expect(!expect(model.virtualEvents(), "--a-(7|)", frame: 1))
        } matching: { issue in
            issue.comments.map(\.rawValue) == [
                """
                the stream did something else:
                expected  --a-(7|)
                actual    --a(7|)
                              ^
                first difference at 3 s
                    2 s  "a"
                  - 4 s  7
                  - 4 s  completed
                  + 3 s  7
                  + 3 s  completed
                """
            ]
        }
    }

    @Test func aDiagramThatCannotBeReadFails() {
        withKnownIssue {
            #expect(!expect(model.virtualEvents(), "--(a"))
        } matching: { issue in
            issue.comments.map(\.rawValue) == ["the diagram --(a: column 3: the group has no end (close it with ')')"]
        }
        withKnownIssue {
            #expect(!expect(model.virtualEvents(), "a", frame: -1))
        } matching: { issue in
            issue.comments.map(\.rawValue) == ["the diagram a: a frame lasts more than 0 seconds (0.001 is the usual)"]
        }
    }

    @Test func aDocumentIsFedWithDiagrams() throws {
        let even = try StreamDocument(
            parsing: #"{"source": {"ref": "numbers"}, "operators": [{"filter": {"expression": "x % 2 == 0"}}]}"#
        )
        #expect(expect(even, inputs: ["numbers": "-1-2-4|"], "---2-4|"))
        #expect(expect(even, inputs: ["numbers": "12^-3-4-"], "----4-", frame: 2))
        withKnownIssue {
            #expect(!expect(even, inputs: ["numbers": "-1-2-4|"], "---2-5|"))
        } matching: { issue in
            issue.comments.map(\.rawValue) == [
                """
                the stream did something else:
                expected  ---2-5|
                actual    ---2-4|
                               ^
                first difference at 0.005 s
                    0.003 s  2
                  - 0.005 s  5
                  - 0.006 s  completed
                  + 0.005 s  4
                  + 0.006 s  completed
                """
            ]
        }
        withKnownIssue {
            #expect(!expect(even, "|"))
        } matching: { issue in
            issue.comments.map(\.rawValue) == [#"1:21: source.ref: there is no stream "numbers""#]
        }
    }
}
