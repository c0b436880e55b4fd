#if Hub
import Testing

@testable import SluiceHub
@testable import SluiceRuns

@Suite struct ReferenceGraphTests {
    private func graph(_ nodes: [(String, String?, [String])]) -> ReferenceGraph {
        var graph = ReferenceGraph()
        for (id, name, references) in nodes { graph.put(id, name: name, references: references) }
        return graph
    }

    @Test func aReferenceLeadsToAnIDBeforeAName() {
        var graph = graph([("a", "Numbers", []), ("b", "Numbers", []), ("c", nil, ["Numbers"])])
        #expect(graph.targets(of: "Numbers") == ["a", "b"])
        graph.put("Numbers", name: nil, references: [])
        #expect(graph.targets(of: "Numbers") == ["Numbers"])
        #expect(graph.bearers(of: "Numbers") == ["Numbers", "a", "b"])
        graph.remove("Numbers")
        graph.remove("b")
        #expect(graph.targets(of: "Numbers") == ["a"])
        #expect(graph.targets(of: "nothing").isEmpty)
    }

    @Test func dependentsAreFoundThroughOthersByIDAndName() {
        let graph = graph([
            ("a", "A", []), ("b", "B", ["A"]), ("c", "C", ["b"]), ("d", nil, ["C"]), ("e", nil, ["nothing"]),
        ])
        #expect(graph.dependents(of: ["a", "A"]) == ["b", "c", "d"])
        #expect(graph.dependents(of: ["c"]) == [])
        #expect(graph.dependents(of: ["nothing"]) == ["e"])
        #expect(graph.closure(of: ["d"]) == ["c", "b", "a"])
    }

    @Test func circlesEnd() {
        let graph = graph([("a", nil, ["b"]), ("b", nil, ["c"]), ("c", nil, ["a"])])
        #expect(graph.dependents(of: ["a"]) == ["b", "c"])
        #expect(graph.closure(of: ["a"]) == ["a", "b", "c"])
    }

    /// A graph that is changed again and again answers as one that is made at once.
    @Test(arguments: 0..<200) func changesLeaveNothingBehind(_ seed: UInt64) {
        var chance = SeededChance(seed)
        let ids = (0..<8).map { "\($0)" }
        let names = ids + ["A", "B"]
        var (graph, nodes) = (ReferenceGraph(), [String: ReferenceGraph.Node]())
        for _ in 0..<40 {
            let id = ids[chance.next(8)]
            if chance.next(4) == 0 {
                graph.remove(id)
                nodes[id] = nil
            } else {
                let node = ReferenceGraph.Node(
                    name: chance.next(2) == 0 ? names[chance.next(10)] : nil,
                    references: Array(Set((0..<chance.next(4)).map { _ in names[chance.next(10)] }))
                )
                graph.put(id, node)
                nodes[id] = node
            }
        }
        func targets(_ text: String) -> Set<String> {
            nodes[text] != nil ? [text] : Set(nodes.filter { $0.value.name == text }.keys)
        }
        for text in names {
            #expect(Set(graph.targets(of: text)) == targets(text))
            // Whatever a document may lead to counts: an id or a name that hides another may go.
            var (found, count) = (Set<String>(), -1)
            while found.count != count {
                count = found.count
                let known = found.union([text]).union(found.compactMap { nodes[$0]?.name })
                found.formUnion(nodes.filter { !known.isDisjoint(with: $0.value.references) }.keys)
            }
            #expect(graph.dependents(of: [text]) == found.subtracting([text]))
        }
        for id in ids {
            var (found, open) = (Set<String>(), [id])
            while let next = open.popLast() {
                for other in (nodes[next]?.references ?? []).flatMap(targets) where found.insert(other).inserted {
                    open.append(other)
                }
            }
            #expect(graph.closure(of: [id]) == found)
        }
    }
}

@Suite struct ArrivalOrderTests {
    @Test func idsKeepTheirPlaces() {
        var order = ArrivalOrder()
        for number in 0..<1000 { order.insert("\(number)") }
        order.insert("5")
        for number in 0..<1000 where number % 10 != 0 { order.remove("\(number)") }
        order.remove("never")
        order.insert("1")
        #expect(Array(order) == (0..<100).map { "\($0 * 10)" } + ["1"])
    }
}
#endif
