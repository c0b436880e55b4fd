public import SluiceJSON

/// Documents of the program combine-magic, converted to documents of Sluice.
///
/// ```swift
/// let text = #"{"id": "7A1E…", "name": "Even", "operators": [{"filter": {"expression": "%d > 2"}}]}"#
/// let document = try StreamImport(parsing: text).documents[0]
/// document.json["source"]   // {"ref":"Serial Stream A"}
/// ```
///
/// It reads the program's four shapes (`StreamModel`, `OperationStreamModel`, `UnifyingOperationStreamModel`,
/// `JoinOperationStreamModel`), arrays of them, and an object of such arrays under the program's keys (`storedStreams`
/// …). A definition in the program names no sources: it ran on the first default stream, or on the first and the last.
/// The converted document names these. `%d` expressions become CEL. `docs/import.md` describes the conversion in
/// detail.
public struct StreamImport: Sendable {
    /// One converted stream.
    public struct Document: Sendable, Equatable {
        /// The document.
        public let json: JSON
        /// The id that it had in the program.
        public var id: String? { json["id"]?.string }
        /// The name of the stream.
        public var name: String? { json["name"]?.string }
        /// The document as text: one line for each member, with the keys in the order of the design.
        public var text: String { json.text(.pretty) + "\n" }
    }

    /// The documents, in the order of the text.
    public let documents: [Document]

    /// Reads a text that the program has stored.
    ///
    /// - Throws: `JSONErrors` with all errors at once (the first hundred), each with path, line, and column. Nothing is
    ///   imported partially.
    /// - Complexity: O(*n*) in the length of the text; O(*n*) more for each error.
    public init(parsing text: String) throws(JSONErrors) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Reads UTF-8 bytes that the program has stored.
    ///
    /// - Throws: `JSONErrors`, as ``init(parsing:)-(String)`` does.
    public init(parsing bytes: [UInt8]) throws(JSONErrors) {
        let root: JSONNode
        do {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw JSONErrors([error])
        }
        var reader = SeedReader()
        reader.read(root)
        documents = try reader.finish()
    }
}
