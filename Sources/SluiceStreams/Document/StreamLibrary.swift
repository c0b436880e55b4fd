import SluiceExpressions
import SluiceJSON

/// The streams that references may lead to, by their ids and unique names.
public struct StreamLibrary: Sendable {
    private var documents: [String: [StreamDocument]] = [:]
    private var flows: [String: Flow<CELValue>] = [:]

    /// What a reference leads to.
    enum Target {
        case none
        case several(Int)
        case document(StreamDocument)
        case flow(Flow<CELValue>)
    }

    /// A library of documents.
    public init(_ documents: [StreamDocument] = []) {
        for document in documents { add(document) }
    }

    /// Adds a document.
    public mutating func add(_ document: StreamDocument) {
        for name in Set([document.id, document.name].compactMap(\.self)) {
            documents[name, default: []].append(document)
        }
    }

    /// Has references to `id` lead to a document whose text does not say that it is its own.
    package mutating func add(_ document: StreamDocument, as id: String) { documents[id, default: []].append(document) }

    /// Has references to `name` lead to a stream of code.
    mutating func add(_ flow: Flow<CELValue>, as name: String) { flows[name] = flow }

    /// Where a reference leads: an id before a name.
    func find(_ id: String) -> Target {
        if let flow = flows[id] { return .flow(flow) }
        let found = documents[id] ?? []
        if let exact = found.first(where: { $0.id == id }) { return .document(exact) }
        if found.count > 1 { return .several(found.count) }
        return found.first.map { .document($0) } ?? .none
    }

    /// What people call the stream that a reference leads to.
    func name(of id: String) -> String {
        if case .document(let document) = find(id) { document.name ?? id } else { id }
    }

    /// A hint for a reference that leads nowhere.
    func hint(for id: String) -> String? {
        let names = (Array(documents.keys) + Array(flows.keys)).sorted()
        if names.isEmpty { return nil }
        return "known: " + names.prefix(20).joined(separator: ", ")
    }
}
