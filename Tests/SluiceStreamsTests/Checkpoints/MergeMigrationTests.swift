import SluiceJSON
import Testing

@testable import SluiceStreams

/// A `merge` with a concurrency goes on from the states of version 1, in which it was a `flatMap` over the numbers of its
/// streams.
struct MergeMigrationTests {
    private static let library = #"""
        [{"name": "a", "source": {"marbles": {"text": "-1|", "frame": 1}}},
         {"name": "b", "source": {"marbles": {"text": "---2---|", "frame": 1}}},
         {"name": "c", "source": {"marbles": {"text": "-3---|", "frame": 1}}}]
        """#

    private static let sources = #""sources": [{"ref": "a"}, {"ref": "b"}, {"ref": "c"}]"#
    private static let others = #""sources": [{"ref": "b"}, {"ref": "c"}]"#

    /// Documents with one `merge`, as a source and as an operator, of three streams.
    private static let documents = (1...2).flatMap { concurrency in
        let count = #""concurrency": \#(concurrency)"#
        return [
            #"{"source": {"merge": {\#(sources), \#(count)}}, "operators": [{"map": {"expression": "x + 1"}}]}"#,
            #"{"source": {"ref": "a"}, "operators": [{"map": {"expression": "x * 5"}}, {"merge": {\#(others), \#(count)}}]}"#,
            #"{"source": {"ref": "a"}, "operators": [{"merge": {\#(others), \#(count)}}, {"count": {}}]}"#,
        ]
    }

    /// Returns what version 1 saved of the stages of a stream.
    private static func version1(_ parts: JSON.Object) throws -> JSON.Object {
        var result: JSON.Object = [:]
        for (key, part) in parts {
            guard part["version"] != nil, let next = part["states"]?["state"]?["next"]?.int else { continue }
            let running = try #require(part["states"]?["state"]?["running"]?.int)
            let waiting = (0..<3).filter { $0 >= next }.map { JSON.int(Int64($0)) }
            var inner: [JSON] = []
            // The stages before an operator were within its first stream.
            let isOperator = key != StageKey.source
            let before = isOperator ? parts.filter { $0.key < key || $0.key == StageKey.source } : []
            if !before.isEmpty {
                inner.append([1, 0, ["parts": .object(JSON.Object(before.map { ($0.key, $0.value) }))]])
            }
            for index in 0..<3 {
                let name = StageKey.source(isOperator ? index - 1 : index)
                guard let stream = part["parts"]?[name] else { continue }
                inner.append([.int(Int64(index + 1)), .int(Int64(index)), ["parts": .object([name: stream])]])
            }
            result[key] = [
                "states": [
                    "held": .int(Int64(waiting.count + running)),
                    "state": ["running": .int(Int64(running)), "waiting": .array(waiting), "isCompleted": true],
                ],
                "inner": .array(inner),
            ]
            for (other, part) in parts where other != key && !before.contains(where: { $0.key == other }) {
                result[other] = part
            }
        }
        return result
    }

    @Test(arguments: documents) func aMergeGoesOnFromVersion1(_ text: String) throws {
        let document = try StreamDocument(parsing: text)
        let library = StreamLibrary(
            try #require(JSON(parsing: Self.library).array).map { try StreamDocument(parsing: $0.text()) }
        )
        let expected = try GoldenCheckpointTests.rest(of: StreamRun(document, in: library), until: 30)
        let run = try StreamRun(document, in: library)
        var given: [String] = []
        var cuts = 0
        while let due = run.nextDue {
            run.advance(to: due)
            while let event = run.next() { given.append(event.line) }
            if run.isEnded { break }
            var checkpoint = try #require(JSON(parsing: run.checkpoint().text).object)
            var whole = try #require(checkpoint["parts"]?.object)
            let parts = try Self.version1(try #require(whole["parts"]?.object))
            #expect(!parts.isEmpty)
            whole["parts"] = .object(parts)
            checkpoint["parts"] = .object(whole)
            let old = try StreamCheckpoint(parsing: JSON.object(checkpoint).text())
            let resumed = try StreamRun(document, from: old, in: library)
            let rest = try GoldenCheckpointTests.rest(of: resumed, until: 30)
            #expect(given + rest == expected, "at \(due)")
            cuts += 1
        }
        #expect(cuts > 3)
    }
}
