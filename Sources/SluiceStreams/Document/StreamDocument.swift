public import SluiceJSON

/// A stream document: what a file, the store and the hub hold.
///
/// ```swift
/// let document = try StreamDocument(parsing: #"""
///     {"name": "Ticks", "stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}]}
///     """#)
/// document.name                                       // Ticks
/// document.virtualEvents().map(\.time.seconds)        // [1, 1]: the value, the completion
/// ```
///
/// The seed's `StreamModel` JSON is a document as it stands; values may be any JSON.
public struct StreamDocument: Sendable {
    /// The document as its author wrote it.
    public let text: String
    /// Who it is, through all edits; a file may leave it out.
    public let id: String?
    /// How often it has been written, from 1; a file may leave it out.
    public let revision: Int?
    /// What people call it.
    public let name: String?
    /// What it is for.
    public let description: String?
    /// Whether it came with the program.
    public let isDefault: Bool
    /// The items, in order.
    public let stream: [StreamItem<JSON>]

    /// Reads a document and checks all of it.
    ///
    /// - Throws: `JSONErrors` with every error at once (the first hundred), each with path, line and column.
    /// - Complexity: O(*n*) in the length of the text; O(*n*) more for each error.
    public init(parsing text: String) throws(JSONErrors) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Reads a document from its bytes, which have to be UTF-8, and checks all of it.
    ///
    /// - Throws: `JSONErrors`, as ``init(parsing:)-(String)`` does.
    /// - Complexity: O(*n*) in the number of bytes; O(*n*) more for each error.
    public init(parsing bytes: [UInt8]) throws(JSONErrors) {
        let root: JSONNode
        do {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw JSONErrors([error])
        }
        var check = JSONValidator()
        let fields = check.streamFields(root)
        text = String(decoding: bytes, as: UTF8.self)
        id = check.string(fields?["id"])
        revision = check.int(fields?["revision"], in: 1...Int.max)
        name = check.optionalString(fields?["name"])
        description = check.optionalString(fields?["description"])
        isDefault = check.bool(fields?["isDefault"]) ?? false
        stream = check.items(fields?["stream"])
        try check.throwErrors()
    }

    /// The events of the stream, each when it is due by `clock`; see ``StreamModel/events(until:clock:)``.
    public func events<C: Clock>(
        until limit: StreamTime? = nil,
        clock: C = .continuous
    ) -> LiveEvents<JSON, C> where C.Duration == Duration {
        LiveEvents(items: stream, limit: limit, clock: clock)
    }

    /// The events of the stream in virtual time, those due at `limit` the last.
    public func virtualEvents(until limit: StreamTime? = nil) -> VirtualEvents<JSON> {
        VirtualEvents(items: stream, limit: limit)
    }
}
