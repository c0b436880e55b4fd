/// A stream document as the store keeps it.
public struct StoredStream: Sendable, Equatable {
    /// Who it is, through all edits.
    public let id: String
    /// How often it has been written, from 1.
    public let revision: Int
    /// What people call it.
    public let name: String?
    /// The document, as its author wrote it.
    public let text: String

    /// Makes an entry.
    public init(id: String, revision: Int, name: String?, text: String) {
        self.id = id
        self.revision = revision
        self.name = name
        self.text = text
    }
}
