public import SluiceJSON

/// Documents of the program combine-magic, as documents of Sluice.
///
/// ```swift
/// let text = #"{"id": "7A1E…", "name": "Even", "operators": [{"filter": {"expression": "%d > 2"}}]}"#
/// let document = try StreamImport(parsing: text).documents[0]
/// document.json["source"]   // {"ref":"Serial Stream A"}
/// ```
///
/// It reads the program's four shapes (`StreamModel`, `OperationStreamModel`, `UnifyingOperationStreamModel`,
/// `JoinOperationStreamModel`), arrays of them, and an object of such arrays under the program's keys (`storedStreams` …).
/// A definition there names no sources: it ran on the first default stream, or on the first and the last; here it says
/// so. `%d` expressions become CEL. `docs/import.md` has what becomes of what.
public struct StreamImport: Sendable {
    /// One stream.
    public struct Document: Sendable, Equatable {
        /// The document.
        public let json: JSON
        /// Its id, as the program had it.
        public var id: String? { json["id"]?.string }
        /// Its name.
        public var name: String? { json["name"]?.string }
        /// The document as text: a line for each member, the keys in the order of the design.
        public var text: String { json.text(.pretty) + "\n" }
    }

    /// The documents, in the order of the text.
    public let documents: [Document]

    /// Reads what the program has stored.
    ///
    /// - Throws: `JSONErrors` with every error at once (the first hundred), each with path, line and column. Nothing is
    ///   imported in part.
    /// - Complexity: O(*n*) in the length of the text; O(*n*) more for each error.
    public init(parsing text: String) throws(JSONErrors) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Reads what the program has stored, from its bytes, which have to be UTF-8.
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
