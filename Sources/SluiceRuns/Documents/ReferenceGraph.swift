/// The references among documents: each leads to the document with that id, or to those with that name.
///
/// ```
/// var graph = ReferenceGraph()
/// graph.put("a", name: "Numbers", references: [])
/// graph.put("b", name: nil, references: ["Numbers"])
/// graph.targets(of: "Numbers")    // ["a"]
/// graph.dependents(of: ["a"])     // ["b"]
/// ```
package struct ReferenceGraph: Sendable {
    /// A document, as far as references go.
    package struct Node: Sendable, Equatable {
        package let name: String?
        /// The ids and names that it refers to, each once.
        package let references: [String]
        /// The ids of the streams that it subscribes to, each once.
        package let subscriptions: [String]
        /// A Boolean value that indicates whether references find it by its name alone: a filter stack, which no reference to
        /// a stream leads to.
        package let hasOnlyName: Bool

        /// Makes a node.
        package init(name: String?, references: [String], subscriptions: [String] = [], hasOnlyName: Bool = false) {
            (self.name, self.references, self.subscriptions) = (name, references, subscriptions)
            self.hasOnlyName = hasOnlyName
        }
    }

    /// The documents by their ids.
    package private(set) var nodes: [String: Node] = [:]
    /// The ids of the documents with a name.
    private var named: [String: Set<String>] = [:]
    /// The ids of the documents that refer to an id or a name.
    private var referring: [String: Set<String>] = [:]
    /// The ids of the documents that subscribe to a stream.
    private(set) var subscribing: [String: Set<String>] = [:]

    /// Makes a graph without documents.
    package init() {}

    /// Puts a document in place of the one with its id.
    ///
    /// - Complexity: O(*n*) in the number of its references and subscriptions.
    package mutating func put(_ id: String, _ node: Node) {
        remove(id)
        nodes[id] = node
        if let name = node.name { named[name, default: []].insert(id) }
        for reference in node.references { referring[reference, default: []].insert(id) }
        for stream in node.subscriptions { subscribing[stream, default: []].insert(id) }
    }

    /// Puts a document in place of the one with its id.
    package mutating func put(_ id: String, name: String?, references: [String], subscriptions: [String] = []) {
        put(id, Node(name: name, references: references, subscriptions: subscriptions))
    }

    /// Removes a document.
    ///
    /// - Complexity: O(*n*) in the number of its references and subscriptions.
    package mutating func remove(_ id: String) {
        guard let node = nodes.removeValue(forKey: id) else { return }
        if let name = node.name { Self.remove(id, from: &named, name) }
        for reference in node.references { Self.remove(id, from: &referring, reference) }
        for stream in node.subscriptions { Self.remove(id, from: &subscribing, stream) }
    }

    private static func remove(_ id: String, from sets: inout [String: Set<String>], _ key: String) {
        sets[key]?.remove(id)
        if sets[key]?.isEmpty ?? false { sets[key] = nil }
    }

    /// Returns the documents that a reference leads to, in the order of their ids: the one with that id, or else all with
    /// that name. More than one is an ambiguous reference.
    package func targets(of reference: String) -> [String] {
        if let node = nodes[reference], !node.hasOnlyName { return [reference] }
        return named[reference]?.sorted() ?? []
    }

    /// Returns the documents with an id or a name.
    package func bearers(of text: String) -> Set<String> {
        let others = named[text] ?? []
        return nodes[text] == nil ? others : others.union([text])
    }

    /// Returns the documents that the references of a document lead to, each once.
    package func targets(from id: String) -> Set<String> {
        Set((nodes[id]?.references ?? []).flatMap { targets(of: $0) })
    }

    /// Returns the documents that refer to an id or a name themselves.
    package func referrers(of text: String) -> Set<String> { referring[text] ?? [] }

    /// Returns the documents whose references may lead to a document.
    package func referrers(to id: String) -> Set<String> {
        guard let name = nodes[id]?.name, name != id else { return referrers(of: id) }
        let byName = referrers(of: name)
        return byName.isEmpty ? referrers(of: id) : referrers(of: id).union(byName)
    }

    /// Returns the documents that documents refer to, and so on; a document of a cycle is among its own.
    ///
    /// - Complexity: O(*n*) in the number of documents found and their references.
    package func closure(of ids: some Sequence<String>) -> Set<String> {
        var (found, open) = (Set<String>(), Array(ids))
        while let id = open.popLast() {
            for other in targets(from: id) where found.insert(other).inserted { open.append(other) }
        }
        return found
    }

    /// Returns the documents that refer to one of these ids and names, and so on, without the ids themselves.
    ///
    /// - Complexity: O(*n*) in the number of documents found.
    package func dependents(of texts: some Sequence<String>) -> Set<String> {
        let given = Set(texts)
        var (found, open) = (Set<String>(), given.flatMap { referrers(of: $0) })
        while let id = open.popLast() {
            // One of a cycle depends on itself: those that find it by its name depend on it too.
            guard found.insert(id).inserted else { continue }
            open += referrers(to: id)
        }
        return found.subtracting(given)
    }
}
