public import SluiceJSON

/// A filter stack as data: a document that is stored, edited without a new build, and replaced while it runs.
///
/// ```swift
/// let document = try StackDocument(parsing: """
///     {
///       "budgets": {"users": {"ratio": 0.2}},
///       "filters": [
///         {"timeout": {"seconds": 10}},
///         {"retry": {"maxAttempts": 3, "budget": "users"}},
///         {"id": "breaker", "breaker": {"opensOn": [{"consecutiveFailures": {"count": 5}}]}},
///         {"timeout": {"seconds": 2}}
///       ]
///     }
///     """)
/// print(document)  // timeout → retry → breaker → timeout
/// ```
///
/// The filters are in the order in which a call passes them. Times are in seconds. A filter is an object with one key
/// that names it, optionally with `id`, `note`, `disabled`, and keys that begin with `x-`. `docs/stacks.md` describes
/// all filters. ``StackFilter`` runs a document.
public struct StackDocument: Sendable {
    /// One filter of a stack.
    public struct Entry: Sendable {
        /// The author's name for the filter: one that keeps its id through an edit may keep its state.
        public let id: String?
        /// The kind of the filter: `retry`.
        public let kind: String
        /// A note of the author.
        public let note: String?
        /// A Boolean value that indicates whether calls bypass it. It keeps its state.
        public let isDisabled: Bool
        let form: any FilterKind.Type
        let settings: StackSettings
        let text: JSON
        let kept: [Kept]
        let path: JSONPath
        let position: JSONPosition
    }

    /// A member of another program: `x-…`.
    struct Kept: Sendable {
        let key: String
        let value: JSONSlice
    }

    /// The document's id, if it has one.
    public private(set) var id: String?
    /// The revision of the hub that the document edits, from 1; `nil` if it names none.
    public private(set) var revision: Int?
    /// The display name.
    public private(set) var name: String?
    /// A description of its purpose.
    public private(set) var explanation: String?
    /// The filters, outermost first.
    public private(set) var filters: [Entry] = []
    /// The budgets by name, in the order of the text.
    private(set) var budgets: [(name: String, settings: StackSettings, text: JSON, position: JSONPosition)] = []
    /// The filters around each endpoint, outermost first. Each endpoint has its own.
    public private(set) var endpointFilters: [Entry] = []
    /// The endpoints and the policy by which one is chosen, if the document has them.
    private(set) var balancer: (settings: StackSettings, text: JSON, position: JSONPosition)?
    private var hasSchema = false
    private var kept: [Kept] = []

    /// Reads a document, and checks all of it.
    ///
    /// - Throws: `JSONErrors` with all errors, each with path, line, column, and a hint.
    public init(parsing text: String) throws(JSONErrors) { try self.init(parsing: Array(text.utf8)) }

    /// Reads a document from its UTF-8 bytes, and checks all of it.
    ///
    /// - Throws: `JSONErrors`, as ``init(parsing:)-(String)`` does.
    /// - Complexity: O(*n*) in the number of bytes; O(*n*) more for each error.
    public init(parsing bytes: [UInt8]) throws(JSONErrors) {
        let root: JSONNode
        do { root = try JSONDocument(parsing: bytes).root } catch { throw JSONErrors([error]) }
        var reader = StackReader()
        read(root, &reader)
        try reader.check.throwErrors()
    }

    private mutating func read(_ root: JSONNode, _ reader: inout StackReader) {
        guard let fields = reader.check.object(root, keys: StackReader.keys, required: ["filters"]) else { return }
        hasSchema = reader.check.string(fields["schema"], oneOf: [StackReader.schema]) != nil
        id = reader.check.string(fields["id"])
        revision = reader.check.int(fields["revision"], in: 1...Int.max)
        name = reader.check.string(fields["name"])
        explanation = reader.check.string(fields["description"])
        if let node = fields["budgets"], reader.check.expect(.object, node) {
            reader.budgets = node.members.map(\.key)
            if node.count > StackReader.mostFilters {
                reader.check.note(
                    .limitExceeded,
                    at: node,
                    "\(node.count) budgets: at most \(StackReader.mostFilters) may stand here"
                )
            } else {
                for member in node.members {
                    guard let value = reader.object(member.value, BudgetKeys.parameters) else { continue }
                    let position = member.keyNode.position
                    budgets.append((member.key, StackSettings(json: value.full), value.text, position))
                }
            }
        }
        filters = reader.entries(fields["filters"])
        if let node = fields["balancer"], let value = reader.object(node, BalancerKeys.parameters) {
            balancer = (StackSettings(json: value.full), value.text, node.position)
            endpointFilters = reader.endpointFilters
        }
        kept = reader.kept(root.members)
    }

    /// Removes all filters and budgets.
    mutating func removeAll() {
        filters = []
        endpointFilters = []
        budgets = []
    }

    /// Returns the document with some of its filters.
    func filtered(_ isKept: (Entry) -> Bool) -> StackDocument {
        var stack = self
        stack.filters = filters.filter(isKept)
        return stack
    }

    /// Returns the document with an id.
    package func identified(as id: String) -> StackDocument {
        var stack = self
        stack.id = id
        return stack
    }

    /// The document without its id, its revision, its name, and its description.
    package var anonymous: StackDocument {
        var stack = self
        (stack.id, stack.revision, stack.name, stack.explanation) = (nil, nil, nil, nil)
        return stack
    }

    /// The document of the filters around each endpoint.
    var endpointStack: StackDocument {
        var stack = self
        stack.filters = endpointFilters
        stack.endpointFilters = []
        stack.balancer = nil
        return stack
    }

    /// The canonical text: known keys in the order of the documentation, without defaults, then `x-…` in their original
    /// order; one line for each filter, so that a change of one changes one line.
    ///
    /// - Complexity: O(*n*) in the length of the text.
    public var canonicalText: String {
        var members: [String] = []
        func add(_ key: String, _ value: String?) {
            if let value { members.append("\(JSON.string(key)): \(value)") }
        }
        func lines(_ texts: [String], _ open: String, _ close: String) -> String {
            texts.isEmpty ? open + close : open + "\n    " + texts.joined(separator: ",\n    ") + "\n  " + close
        }
        if hasSchema { add("schema", JSON.string(StackReader.schema).text()) }
        add("id", id.map { JSON.string($0).text() })
        add("revision", revision.map(String.init))
        add("name", name.map { JSON.string($0).text() })
        add("description", explanation.map { JSON.string($0).text() })
        if !budgets.isEmpty {
            add("budgets", lines(budgets.map { "\(JSON.string($0.name)): \($0.text.text())" }, "{", "}"))
        }
        add("filters", lines(filters.map(\.canonicalText), "[", "]"))
        if let text = balancer?.text.text() {
            let filters = endpointFilters.map(\.canonicalText)
            let end = filters.isEmpty ? "}" : ", \"filters\": \(lines(filters, "[", "]"))}"
            add("balancer", text.dropLast() + end)
        }
        for member in kept { add(member.key, member.value.text) }
        return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
    }
}

extension StackDocument.Entry {
    /// Its line in the canonical text.
    var canonicalText: String {
        var members: [String] = []
        if let id { members.append("\"id\": \(JSON.string(id))") }
        if let note { members.append("\"note\": \(JSON.string(note))") }
        if isDisabled { members.append("\"disabled\": true") }
        members.append("\(JSON.string(kind)): \(text)")
        members += kept.map { "\(JSON.string($0.key)): \($0.value.text)" }
        return "{" + members.joined(separator: ", ") + "}"
    }
}

extension StackDocument: CustomStringConvertible {
    /// The filters through which calls pass, outermost first: `timeout → retry → balancer → timeout`.
    public var description: String {
        let outer = filters.filter { !$0.isDisabled }.map(\.kind)
        let inner = endpointFilters.filter { !$0.isDisabled }.map(\.kind)
        return (outer + (balancer == nil ? [] : ["balancer"]) + inner).joined(separator: " → ")
    }
}

extension StackDocument: Equatable {
    /// Returns a Boolean value that indicates whether both have the same content, however they are written.
    public static func == (a: StackDocument, b: StackDocument) -> Bool {
        let (one, other) = (a.canonicalText, b.canonicalText)
        // Members of other programs are as their author wrote them.
        return one == other || (try? JSON(parsing: one)) == (try? JSON(parsing: other))
    }
}

extension StackDocument: Codable {
    /// Reads a document.
    ///
    /// - Throws: `DecodingError` with all errors.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        do { try self.init(parsing: json.text()) } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            )
        }
    }

    /// Writes the canonical form.
    public func encode(to encoder: any Encoder) throws { try JSON(parsing: canonicalText).encode(to: encoder) }
}
