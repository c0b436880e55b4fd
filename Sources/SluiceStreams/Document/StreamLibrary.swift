import SluiceExpressions
import SluiceFilters
import SluiceJSON

/// The streams that references lead to, by their ids and by names that only one of them has.
public struct StreamLibrary: Sendable {
    private var withID: [String: StreamDocument] = [:]
    private var withName: [String: [StreamDocument]] = [:]
    private var flows: [String: Flow<CELValue>] = [:]
    /// The documents that are filter stacks, by their ids.
    private var stacks: [String: StreamDocument] = [:]
    /// The first names in alphabetical order, for hints.
    private var firstNames: [String] = []
    /// The cycles that subscriptions of a document would close, by the id of the stream that is subscribed to: `a → b → a`.
    package var cycles: [String: String] = [:]
    /// The library that this one extends.
    private let base: Base?

    /// A library that any number of libraries extend without copying it.
    private final class Base: Sendable {
        let library: StreamLibrary

        init(_ library: StreamLibrary) { self.library = library }
    }

    /// The stream that a reference leads to.
    enum Target {
        case none
        case several(Int)
        case document(StreamDocument)
        case flow(Flow<CELValue>)
    }

    /// The number of names in a hint.
    private static let hintCount = 20

    /// Creates a library of documents.
    public init(_ documents: [StreamDocument] = []) {
        base = nil
        for document in documents { add(document) }
    }

    /// Creates a library that begins with the documents of another.
    ///
    /// - Complexity: O(1).
    package init(extending library: StreamLibrary) { base = Base(library) }

    /// Adds a document.
    ///
    /// - Complexity: O(1).
    public mutating func add(_ document: StreamDocument) {
        if document.isStack, document.id == nil { return }
        if let id = document.id { add(document, as: id) }
        if let name = document.name, name != document.id, !document.isStack { add(document, as: name) }
    }

    /// Makes references to `id` lead to a document whose text may have another id.
    package mutating func add(_ document: StreamDocument, as id: String) {
        if document.isStack { return stacks[id] = document }
        if document.id == id, withID[id] == nil { withID[id] = document }
        withName[id, default: []].append(document)
        noteName(id)
    }

    /// Makes references to `name` lead to a stream that is written in Swift.
    mutating func add(_ flow: Flow<CELValue>, as name: String) {
        flows[name] = flow
        noteName(name)
    }

    /// The streams that stand in for others: the inputs of a test.
    var inputs: [String: Flow<CELValue>] { flows }

    /// Returns the library with streams in place of those with the same names.
    func replacing(_ flows: [String: Flow<CELValue>]) -> StreamLibrary {
        var copy = self
        for (name, flow) in flows { copy.add(flow, as: name) }
        return copy
    }

    /// Returns the stream that a reference leads to: the one with this id, or the only one with this name.
    ///
    /// - Complexity: O(1).
    func find(_ id: String) -> Target {
        if let flow = flow(id) { return .flow(flow) }
        if let exact = document(withID: id) { return .document(exact) }
        let count = count(named: id)
        if count > 1 { return .several(count) }
        return first(named: id).map { .document($0) } ?? .none
    }

    /// A filter stack that a source or a sink names.
    enum NamedStack {
        case none
        case stack(ConnectorStack)
        case invalid(JSONErrors)
    }

    /// Returns the filter stack with an id.
    func stack(_ id: String, of use: ConnectorStack.Use) -> NamedStack {
        guard let document = stacks[id] else { return base?.library.stack(id, of: use) ?? .none }
        do throws(JSONErrors) {
            return .stack(try ConnectorStack(StackDocument(parsing: document.text), of: use, id: id))
        } catch {
            return .invalid(error)
        }
    }

    private func flow(_ name: String) -> Flow<CELValue>? { flows[name] ?? base?.library.flow(name) }

    private func document(withID id: String) -> StreamDocument? {
        base?.library.document(withID: id) ?? withID[id]
    }

    private func first(named name: String) -> StreamDocument? {
        base?.library.first(named: name) ?? withName[name]?.first
    }

    private func count(named name: String) -> Int {
        (base?.library.count(named: name) ?? 0) + (withName[name]?.count ?? 0)
    }

    /// Returns the display name of the stream that a reference leads to.
    func name(of id: String) -> String {
        if case .document(let document) = find(id) { document.name ?? id } else { id }
    }

    /// Returns a hint for a reference that leads nowhere.
    ///
    /// - Complexity: O(1).
    func hint(for id: String) -> String? {
        let names = names
        return names.isEmpty ? nil : "known: " + names.joined(separator: ", ")
    }

    /// The first names of this library and of the ones that it extends.
    private var names: [String] {
        guard let base else { return firstNames }
        return Array(Set(firstNames + base.library.names).sorted().prefix(Self.hintCount))
    }

    /// Inserts a name among the first ones, if it is one of them.
    private mutating func noteName(_ name: String) {
        let index = firstNames.firstIndex { $0 >= name } ?? firstNames.endIndex
        if index == Self.hintCount || (index < firstNames.endIndex && firstNames[index] == name) { return }
        firstNames.insert(name, at: index)
        if firstNames.count > Self.hintCount { firstNames.removeLast() }
    }
}
