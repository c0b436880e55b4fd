public import Foundation

/// A stream document as a store keeps it.
public struct StoredStream: Sendable, Hashable {
    /// Who it is, through all edits.
    public let id: String
    /// How often it has been written, from 1.
    public let revision: Int
    /// What people call it.
    public let name: String?
    /// The document, as its author wrote it.
    public let text: String
    /// When this revision was written, to the millisecond; `nil` where that is not known.
    public let time: Date?

    /// Makes an entry.
    public init(id: String, revision: Int, name: String?, text: String, time: Date? = nil) {
        self.id = id
        self.revision = revision
        self.name = name
        self.text = text
        self.time = time
    }

    /// The same, to be stored again: what a rollback writes.
    public var draft: StreamDraft { StreamDraft(id: id, name: name, text: text) }
}
