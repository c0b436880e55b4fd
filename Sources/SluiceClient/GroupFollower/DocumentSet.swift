import SluiceJSON
import SluiceStreams

/// The documents of a group as the hub told them last, and where their references lead.
struct DocumentSet {
    /// A document of the set.
    struct Entry: Sendable {
        let document: GroupEvent.Document
        /// What the text says, or why it says nothing.
        let content: Result<StreamDocument, JSONErrors>

        init(_ document: GroupEvent.Document, upTo limit: Int) {
            self.document = document
            let bytes = Array(document.text.utf8)
            guard bytes.count <= limit else {
                let start = JSONPosition(line: 1, column: 1, offset: 0)
                let error = JSONError(.limitExceeded, "the document is longer than \(limit) bytes", at: start)
                content = .failure(JSONErrors([error]))
                return
            }
            content = Result { () throws(JSONErrors) in try StreamDocument(preserving: bytes) }
        }

        var id: String { document.id }
        var isReference: Bool { document.isReference ?? false }
        var parsed: StreamDocument? { try? content.get() }
        /// The names by which others may refer to it.
        var names: Set<String> {
            Set([id, parsed?.id, parsed?.name].compactMap(\.self))
        }
    }

    /// The documents by their ids.
    private(set) var entries: [String: Entry] = [:]
    /// The ids of the documents that have a name.
    private var named: [String: Set<String>] = [:]
    /// The ids of the documents that refer to others.
    private var referring: Set<String> = []
    private let maximumDocumentBytes: Int

    /// A set without documents.
    ///
    /// - Parameter maximumDocumentBytes: a longer text is not read.
    init(maximumDocumentBytes: Int) { self.maximumDocumentBytes = maximumDocumentBytes }

    /// The streams that a change of these documents may concern: their own, and all that refer to others.
    func streams(concernedBy changed: [String]) -> [Entry] {
        referring.union(changed).sorted().compactMap { entries[$0] }.filter { !$0.isReference }
    }

    /// Adds a document, or puts it in the place of the one with its id; answers whether anything is new.
    mutating func put(_ document: GroupEvent.Document) -> Bool {
        guard entries[document.id]?.document != document else { return false }
        remove(document.id)
        let entry = Entry(document, upTo: maximumDocumentBytes)
        entries[document.id] = entry
        for name in entry.names { named[name, default: []].insert(document.id) }
        if entry.parsed?.pipeline.references.isEmpty == false { referring.insert(document.id) }
        return true
    }

    /// Removes a document.
    mutating func remove(_ id: String) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        referring.remove(id)
        for name in entry.names {
            named[name]?.remove(id)
            if named[name]?.isEmpty == true { named[name] = nil }
        }
    }

    /// What a stream is made of: its own document and those that it refers to, directly or through others.
    ///
    /// - Complexity: O(*n*) in the number of documents that it refers to.
    func definition(of id: String) -> Definition? {
        guard let own = entries[id] else { return nil }
        var found: [String: Entry] = [:]
        var open = own.parsed?.pipeline.references ?? []
        while let name = open.popLast() {
            for other in named[name] ?? [] where found[other] == nil {
                guard let entry = entries[other] else { continue }
                found[other] = entry
                open += entry.parsed?.pipeline.references ?? []
            }
        }
        return Definition(own: own, references: found.values.sorted { $0.id < $1.id })
    }
}

/// What a stream is made of.
struct Definition: Sendable {
    /// The document of the stream.
    let own: DocumentSet.Entry
    /// The documents that it refers to, directly or through others.
    let references: [DocumentSet.Entry]

    /// The ids of all documents of which it is made.
    var ids: [String] { [own.id] + references.map(\.id) }

    /// Whether another has the same revisions and texts.
    func isSame(as other: Definition) -> Bool {
        own.document == other.own.document && references.map(\.document) == other.references.map(\.document)
    }

    /// Where its references lead.
    var library: StreamLibrary {
        var library = StreamLibrary()
        for entry in references {
            guard let document = entry.parsed else { continue }
            library.add(document)
            if document.id != entry.id { library.add(document, as: entry.id) }
        }
        return library
    }

    /// The document, ready to run.
    ///
    /// - Throws: `JSONErrors` with everything that is wrong.
    func checked() throws(JSONErrors) -> CheckedDefinition {
        let (document, library) = (try own.content.get(), library)
        _ = try document.flow(in: library)
        return CheckedDefinition(definition: self, document: document, library: library)
    }
}

/// A definition that can run.
struct CheckedDefinition: Sendable {
    let definition: Definition
    let document: StreamDocument
    let library: StreamLibrary

    var revision: Int { definition.own.document.revision }
    var name: String? { definition.own.document.name ?? document.name }
}
