import SluiceJSON
import Testing

@testable import SluiceStreams

/// The memory of keys that webhooks and `distinct` have.
@Suite struct WebhookKeyTests {
    /// As many keys as are remembered, each as long as it may be, take less than the state of a run may, 16 MB: each key is
    /// saved once.
    @Test func theKeysFitIntoAState() throws {
        let long = String(repeating: "k", count: 1010)
        let source = try StreamDocument(
            parsing: #"""
                {"name": "orders", "source": {"range": {"from": 10000, "count": 12000}}, "operators": [
                    {"map": {"expression": "string(x) + '\#(long)'"}}, {"append": {"source": {"never": {}}}}
                ]}
                """#
        )
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"ref": "orders"},
                 "operators": [{"distinct": {"limit": 10000, "whenFull": "dropOldest"}}, {"count": {}}]}
                """#
        )
        let run = try StreamRun(document, in: StreamLibrary([source]))
        run.advance(to: .zero)
        #expect(!run.isEnded)
        let text = run.checkpoint().text
        // All 10,000 are there.
        #expect((10_000 * 1015..<12 << 20).contains(text.utf8.count), "\(text.utf8.count)")
        // They are remembered after a checkpoint too, and saved alike.
        let resumed = try StreamRun(document, from: StreamCheckpoint(parsing: text), in: StreamLibrary([source]))
        #expect(resumed.checkpoint().text == text)
        run.close()
        resumed.close()
    }

    /// Both forms of the memory remember the same after a checkpoint.
    @Test func bothFormsOfMemoryAreSaved() throws {
        let input = try StreamDocument(
            parsing: #"{"name": "in", "source": {"marbles": {"text": "1-2-3-1-2-3-4-1|", "frame": 1}}}"#
        )
        for memory in ["fail", "dropOldest"] {
            let document = try StreamDocument(
                parsing: #"""
                    {"source": {"ref": "in"}, "operators": [{"distinct": {"limit": 10, "whenFull": "\#(memory)"}}]}
                    """#
            )
            let run = try StreamRun(document, in: StreamLibrary([input]))
            run.advance(to: try #require(StreamTime(seconds: 4.5)))
            var values: [JSON] = []
            while let event = run.next() { values += [event.value].compactMap(\.self) }
            #expect(values == [1, 2, 3])
            let resumed = try StreamRun(
                document,
                from: StreamCheckpoint(parsing: run.checkpoint().text),
                in: StreamLibrary([input])
            )
            resumed.advance(to: try #require(StreamTime(seconds: 60)))
            while let event = resumed.next() { values += [event.value].compactMap(\.self) }
            #expect(values == [1, 2, 3, 4], "\(memory)")
        }
    }
}
