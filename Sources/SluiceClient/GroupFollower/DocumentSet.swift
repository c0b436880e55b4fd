import SluiceJSON
import SluiceStreams

/// The documents of a group as the hub last published them, and their references to each other.
struct DocumentSet {
    /// A document of the set.
    struct Entry: Sendable {
        let document: GroupEvent.Document
        /// The parsed document, or the errors of its text.
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
        /// The names by which other documents may refer to it.
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

    /// Creates an empty set.
    ///
    /// - Parameter maximumDocumentBytes: the largest size of a document; a longer text is not parsed.
    init(maximumDocumentBytes: Int) { self.maximumDocumentBytes = maximumDocumentBytes }

    /// Returns the streams that a change of these documents may affect: their own, and all streams with references.
    func streams(concernedBy changed: [String]) -> [Entry] {
        referring.union(changed).sorted().compactMap { entries[$0] }.filter { !$0.isReference }
    }

    /// Adds or replaces a document. Returns a Boolean value that indicates whether that changes anything.
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

    /// Returns the definition of a stream: its document and those that it refers to, directly or indirectly.
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

/// A stream's document with the documents that it refers to.
struct Definition: Sendable {
    /// The document of the stream.
    let own: DocumentSet.Entry
    /// The documents that it refers to, directly or indirectly.
    let references: [DocumentSet.Entry]

    /// The ids of its documents.
    var ids: [String] { [own.id] + references.map(\.id) }

    /// Returns a Boolean value that indicates whether another definition has the same revisions and texts.
    func isSame(as other: Definition) -> Bool {
        own.document == other.own.document && references.map(\.document) == other.references.map(\.document)
    }

    /// The library in which its references are resolved.
    var library: StreamLibrary {
        var library = StreamLibrary()
        for entry in references {
            guard let document = entry.parsed else { continue }
            library.add(document)
            if document.id != entry.id { library.add(document, as: entry.id) }
        }
        return library
    }

    /// Checks the document.
    ///
    /// - Throws: `JSONErrors` with all errors.
    func checked() throws(JSONErrors) -> CheckedDefinition {
        let (document, library) = (try own.content.get(), library)
        _ = try document.flow(in: library)
        return CheckedDefinition(definition: self, document: document, library: library)
    }
}

/// A definition without errors.
struct CheckedDefinition: Sendable {
    let definition: Definition
    let document: StreamDocument
    let library: StreamLibrary

    var revision: Int { definition.own.document.revision }
    var name: String? { definition.own.document.name ?? document.name }
}
