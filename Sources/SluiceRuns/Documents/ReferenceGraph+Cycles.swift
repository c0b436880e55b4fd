/// The cycles of references and subscriptions.
extension ReferenceGraph {
    /// Returns the cycles of which the subscriptions of a document, and of the documents that it refers to, are a part, for
    /// each of the documents that has such a cycle: by the id of the stream that is subscribed to, `a → b → a`.
    ///
    /// - Complexity: O(*n*) in the number of documents, references, and subscriptions that the documents lead to. Each
    ///   document that leads to a cycle takes O(*n*) again.
    package func cycles(through ids: [String]) -> [String: [String: String]] {
        if subscribing.isEmpty { return [:] }
        let entangled = documentsWithCycles(from: ids)
        var cycles: [String: [String: String]] = [:]
        for id in ids where entangled.contains(id) {
            let found = self.cycles(through: id, among: entangled)
            if !found.isEmpty { cycles[id] = found }
        }
        return cycles
    }

    /// Returns the documents that lead to a cycle, among those that documents lead to: what remains when documents that
    /// lead nowhere are removed, again and again.
    private func documentsWithCycles(from ids: [String]) -> Set<String> {
        var (before, counts): ([String: [String]], [String: Int]) = ([:], [:])
        var (open, ends) = (ids.filter { nodes[$0] != nil }, [String]())
        var found = Set(open)
        while let id = open.popLast() {
            let next = successors(of: id)
            counts[id] = next.count
            if next.isEmpty { ends.append(id) }
            for other in next {
                before[other, default: []].append(id)
                if found.insert(other).inserted { open.append(other) }
            }
        }
        while let id = ends.popLast() {
            found.remove(id)
            for other in before[id] ?? [] {
                counts[other, default: 0] -= 1
                if counts[other] == 0 { ends.append(other) }
            }
        }
        return found
    }

    private func cycles(through id: String, among entangled: Set<String>) -> [String: String] {
        let readers = closure(of: [id]).union([id])
        let streams = Set(readers.flatMap { nodes[$0]?.subscriptions ?? [] }).intersection(entangled)
        if streams.isEmpty { return [:] }
        let distances = distances(to: id, among: entangled)
        var cycles: [String: String] = [:]
        for stream in streams {
            guard var distance = distances[stream] else { continue }
            // The shortest way, and of several the first one by the ids.
            var way = [id, stream]
            while distance > 0, let last = way.last {
                distance -= 1
                guard let next = successors(of: last).filter({ distances[$0] == distance }).min() else { break }
                way.append(next)
            }
            cycles[stream] = way.map { "'\($0)'" }.joined(separator: " → ")
        }
        return cycles
    }

    /// Returns the lengths of the shortest ways to a document along references and subscriptions.
    private func distances(to id: String, among documents: Set<String>) -> [String: Int] {
        var distances = [id: 0]
        var open: ArraySlice = [id]
        while let next = open.popFirst() {
            let distance = (distances[next] ?? 0) + 1
            for other in predecessors(of: next) where documents.contains(other) && distances[other] == nil {
                distances[other] = distance
                open.append(other)
            }
        }
        return distances
    }

    /// Returns the documents that a document refers or subscribes to.
    private func successors(of id: String) -> Set<String> {
        targets(from: id).union((nodes[id]?.subscriptions ?? []).filter { nodes[$0] != nil })
    }

    /// Returns the documents that refer or subscribe to a document.
    private func predecessors(of id: String) -> Set<String> {
        var found = referrers(of: id).union(subscribing[id] ?? [])
        // A name that is an id too leads to the document with that id.
        if let name = nodes[id]?.name, nodes[name] == nil { found.formUnion(referrers(of: name)) }
        return found
    }
}
