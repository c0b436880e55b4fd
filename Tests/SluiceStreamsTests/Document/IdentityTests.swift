import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceStreams

@Suite struct IdentityTests {
    @Test func everyOperatorGetsAnIdThatNoneHas() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"source": {"merge": [{"ref": "a"}, {"source": {"ref": "b"}, "operators": [{"filter": {"expression": "true"}}]}]},
                            "operators": [{"filter": {"expression": "x > 1"}}]},
                 "operators": [{"id": "filter", "filter": {"expression": "x > 2"}}, {"take": {"count": 1}}, {"take": {"count": 2}},
                               {"flatMap": {"to": {"source": {"ref": "a"}, "operators": [{"delay": {"seconds": 1}}]}}}]}
                """#
        )
        let pipeline = document.pipeline.identified()
        var ids: [String] = []
        pipeline.forEachOperator { ids.append($0.id ?? "none") }
        #expect(Set(ids) == ["filter", "filter-2", "filter-3", "prefix", "prefix-2", "flatMap", "delay"])
        #expect(ids.count == Set(ids).count)
        #expect(pipeline.identified() == pipeline)
        #expect(document.pipeline.references == ["a", "b"])
    }

    /// The ids of sinks by a search from 1 for each.
    private func searched(_ sinks: [StreamSink], besides taken: Set<String>) -> [String?] {
        var taken = taken.union(sinks.compactMap(\.id))
        return sinks.map { sink in
            guard sink.unknown == nil, sink.id == nil else { return sink.id }
            var (number, id) = (1, sink.name)
            while !taken.insert(id).inserted {
                number += 1
                id = "\(sink.name)-\(number)"
            }
            return id
        }
    }

    @Test func sinksGetTheFirstIdsThatAreFree() throws {
        var random = Seeded(seed: 7)
        let kinds = [SinkKind.post, .post, .lines, .outside]
        let ids: [String?] = [nil, nil, nil, nil, "post", "post-2", "post-3", "lines", "lines-2", "outside-2"]
        let unknown = try JSONSlice(parsing: "{}")
        for _ in 0..<2_000 {
            var sinks: [StreamSink] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
                var sink = StreamSink(kind, [:])
                if Int.random(in: 0..<8, using: &random) == 0 { sink = StreamSink(unknown: unknown, name: kind.name) }
                sink.id = ids[Int.random(in: 0..<ids.count, using: &random)]
                sinks.append(sink)
            }
            var taken: Set<String> = []
            for id in ["post", "post-2", "post-4", "lines", "lines-3", "outside", "x"] {
                if Bool.random(using: &random) { taken.insert(id) }
            }
            let found = sinks.identified(besides: taken).map(\.id)
            let expected = searched(sinks, besides: taken)
            #expect(found == expected, "\(sinks.map(\.id)) besides \(taken.sorted())")
        }
    }

    /// The time is linear in the sinks: a search from 1 for each takes more than a billion steps.
    @Test(.timeLimit(.minutes(1))) func manySinksGetIds() {
        let sinks = Array(repeating: StreamSink(SinkKind.post, [:]), count: 50_000)
        let ids = sinks.identified(besides: ["post-2"]).map(\.id)
        #expect(ids.first == "post" && ids.last == "post-50001")
        #expect(Set(ids).count == 50_000)
    }
}
