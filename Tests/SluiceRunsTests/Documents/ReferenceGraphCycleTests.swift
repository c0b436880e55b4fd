import SluiceTestSupport
import Testing

@testable import SluiceRuns

/// The cycles of subscriptions, against the definition: a search of its own for each subscription.
struct ReferenceGraphCycleTests {
    /// Returns the cycles through a document, as they are defined.
    private func cycles(through id: String, in graph: ReferenceGraph) -> [String: String] {
        var cycles: [String: String] = [:]
        for reader in graph.closure(of: [id]).union([id]) {
            for stream in graph.nodes[reader]?.subscriptions ?? [] {
                guard let way = way(from: stream, to: id, in: graph) else { continue }
                cycles[stream] = ([id] + way).map { "'\($0)'" }.joined(separator: " → ")
            }
        }
        return cycles
    }

    /// Returns the shortest way, the first one by the ids.
    private func way(from start: String, to end: String, in graph: ReferenceGraph) -> [String]? {
        guard graph.nodes[start] != nil else { return nil }
        var (seen, ways) = (Set([start]), [[start]])
        while !ways.isEmpty {
            if let way = ways.filter({ $0.last == end }).min(by: { $0.lexicographicallyPrecedes($1) }) { return way }
            var longer: [[String]] = []
            for way in ways {
                let last = way[way.count - 1]
                let others = graph.targets(from: last).union(graph.nodes[last]?.subscriptions ?? [])
                for other in others where graph.nodes[other] != nil && !seen.contains(other) {
                    longer.append(way + [other])
                }
            }
            seen.formUnion(longer.compactMap(\.last))
            ways = longer
        }
        return nil
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func theyAreThoseOfTheDefinition(_ seed: UInt64) {
        var random = Seeded(seed: seed)
        let ids = (0..<Int.random(in: 1...8, using: &random)).map { "d\($0)" }
        // Names that several have, that are ids of others, and that nothing has.
        let texts = ids + ["A", "B", "d9"]
        func some(_ most: Int, of texts: [String]) -> [String] {
            let count = Int.random(in: 0...most, using: &random)
            return Array(Set((0..<count).map { _ in texts[Int.random(in: texts.indices, using: &random)] })).sorted()
        }
        var graph = ReferenceGraph()
        // Some are put again, and some removed.
        for id in ids + some(4, of: ids) {
            graph.put(
                id,
                name: some(1, of: texts).first,
                references: some(2, of: texts),
                subscriptions: some(2, of: ids)
            )
        }
        for id in some(1, of: ids) { graph.remove(id) }
        var expected: [String: [String: String]] = [:]
        for id in ids {
            let cycles = cycles(through: id, in: graph)
            if !cycles.isEmpty { expected[id] = cycles }
        }
        #expect(graph.cycles(through: ids) == expected, "\(graph)")
    }

    /// A search for each subscription would take minutes: each of a thousand streams subscribes to all before it.
    @Test(.timeLimit(.minutes(5))) func manySubscriptionsWithoutACycleTakeOneSearch() {
        var graph = ReferenceGraph()
        let ids = (0..<1000).map { "d\($0)" }
        for (index, id) in ids.enumerated() {
            graph.put(id, name: nil, references: [], subscriptions: Array(ids[..<index]))
        }
        #expect(graph.cycles(through: ids).isEmpty)
    }
}
