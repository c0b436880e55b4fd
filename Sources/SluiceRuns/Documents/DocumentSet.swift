package import SluiceStreams

/// A change of one document.
package enum DocumentChange: Sendable {
    /// The document is stored under its id.
    case put(String, StreamDocument)
    /// The document is removed.
    case remove(String)

    /// The id of the document.
    package var id: String {
        switch self {
        case .put(let id, _), .remove(let id): id
        }
    }

    fileprivate var node: ReferenceGraph.Node? {
        switch self {
        case .put(let id, let document):
            ReferenceGraph.Node(
                name: document.isStack ? StreamDocument.stackReference(id) : document.name,
                references: document.dependencies,
                subscriptions: document.pipeline.subscriptions,
                hasOnlyName: document.isStack
            )
        case .remove: nil
        }
    }
}

/// The documents of a hub or a follower, and the references among them.
package struct DocumentSet {
    private var documents: [String: SetDocument] = [:]
    /// The references among the documents.
    package private(set) var graph = ReferenceGraph()
    private var order = ArrivalOrder()
    /// The number of each document's arrival: one that was removed and put again has another.
    private var arrivals: [String: Int] = [:]
    private var lastArrival = 0
    private var changed = ChangedIDs()
    /// The ids of the documents that are filter stacks.
    private var stackIDs: Set<String> = []
    /// The ids of the documents that can't run.
    package private(set) var blockedIDs: Set<String> = []
    /// The number of changes so far.
    package private(set) var changes = 0
    /// The size of all texts, in bytes.
    package private(set) var totalSize = 0

    /// The documents for readers elsewhere.
    private let published: PublishedDocuments?

    /// Makes a set without documents.
    ///
    /// - Parameter published: gets every change; it belongs to this set alone.
    package init(publishedIn published: PublishedDocuments? = nil) { self.published = published }

    /// The document with an id.
    package subscript(id: String) -> SetDocument? { documents[id] }

    /// The number of documents.
    package var count: Int { documents.count }

    /// The documents in the order in which they came.
    package var all: some Sequence<SetDocument> { order.lazy.compactMap { documents[$0] } }

    /// The ids in the order in which they came.
    package var ids: some Sequence<String> { order }

    /// The ids of the streams in the order in which they came.
    package var streamIDs: [String] { stackIDs.isEmpty ? Array(order) : order.filter { !stackIDs.contains($0) } }

    /// Puts a document in place of the one with its id.
    package mutating func put(_ document: SetDocument) {
        noteChange(of: document.id)
        totalSize += document.stored.text.utf8.count - (documents[document.id]?.stored.text.utf8.count ?? 0)
        documents[document.id] = document
        published?.put(document)
        stackIDs.note(document.id, if: document.isStack)
        blockedIDs.note(document.id, if: document.isBlocked)
        order.insert(document.id)
        if arrivals[document.id] == nil {
            lastArrival += 1
            arrivals[document.id] = lastArrival
        }
        graph.put(
            document.id,
            ReferenceGraph.Node(
                name: document.referenceName,
                references: document.references,
                subscriptions: document.subscriptions,
                hasOnlyName: document.isStack
            )
        )
    }

    /// Removes a document.
    package mutating func remove(_ id: String) {
        guard let document = documents.removeValue(forKey: id) else { return }
        noteChange(of: id)
        published?.remove(id)
        stackIDs.remove(id)
        blockedIDs.remove(id)
        arrivals[id] = nil
        totalSize -= document.stored.text.utf8.count
        order.remove(id)
        graph.remove(id)
    }

    private mutating func noteChange(of id: String) {
        changes += 1
        published?.noteChange()
        changed.note(id, of: documents.count)
    }

    /// Returns the ids of the documents that were put, removed, or checked since the last call; `nil` for all.
    package mutating func takeChanged() -> Set<String>? { changed.take() }

    /// Returns the number of a document's arrival, by which the documents are in order; `nil` where it is gone.
    package func arrival(of id: String) -> Int? { arrivals[id] }

    /// Takes over what a compiler has found out.
    ///
    /// - Returns: whether the document is blocked now and was not, or the other way around.
    package mutating func note(_ check: DocumentCheck, of id: String) -> Bool {
        guard let was = documents[id]?.isBlocked else { return false }
        noteChange(of: id)
        documents[id]?.note(check)
        let isBlocked = documents[id]?.isBlocked ?? false
        blockedIDs.note(id, if: isBlocked)
        return isBlocked != was
    }

    /// Returns the ids and names under which references find the documents that change, before and after.
    package func texts(of changes: [DocumentChange]) -> Set<String> {
        Set(changes.flatMap { [$0.id, documents[$0.id]?.referenceName, $0.node?.name].compactMap { $0 } })
    }

    /// Returns what a compiler needs to check documents and, after changes, the documents that depend on the changed
    /// ones.
    ///
    /// - Parameters:
    ///   - changes: changes that are not made yet.
    ///   - ids: more documents to check.
    ///   - includesDependents: whether the documents that depend on the changed ones are checked too.
    /// - Complexity: O(*n*) in the number of the documents concerned and of those that they refer to.
    package mutating func job(
        _ changes: [DocumentChange] = [],
        checking ids: [String] = [],
        includesDependents: Bool = true
    ) -> CompileJob {
        let texts = includesDependents ? texts(of: changes) : []
        var dependents = graph.dependents(of: texts)
        let before = changes.map { ($0.id, graph.nodes[$0.id]) }
        var changed: [String: StreamDocument] = [:]
        for change in changes {
            if let node = change.node { graph.put(change.id, node) } else { graph.remove(change.id) }
            if case .put(let id, let document) = change { changed[id] = document }
        }
        defer {
            for (id, node) in before { if let node { graph.put(id, node) } else { graph.remove(id) } }
        }
        dependents.formUnion(graph.dependents(of: texts))
        dependents.subtract(changes.map(\.id))
        var job = CompileJob(changes: self.changes)
        job.targets = changed.keys.sorted() + dependents.sorted()
        job.targets += ids.filter { changed[$0] == nil && !dependents.contains($0) }
        job.cycles = graph.cycles(through: job.targets)
        var (open, seen) = (job.targets, Set(job.targets))
        while let id = open.popLast() {
            if let document = changed[id] {
                job.sources[id] = .changed(document)
            } else if let stored = documents[id]?.stored {
                job.sources[id] = .stored(stored)
            }
            job.nodes[id] = graph.nodes[id]?.references
            for reference in graph.nodes[id]?.references ?? [] {
                let found = graph.targets(of: reference)
                job.resolved[reference] = found
                for other in found where seen.insert(other).inserted { open.append(other) }
            }
        }
        return job
    }
}

extension Set<String> {
    /// Inserts an id, or removes it.
    fileprivate mutating func note(_ id: String, if isMember: Bool) {
        if isMember { insert(id) } else { remove(id) }
    }
}
