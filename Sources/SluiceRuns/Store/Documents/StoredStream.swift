public import Foundation

/// A stream document in a store.
public struct StoredStream: Sendable, Hashable, Codable {
    /// The id of the stream, which edits keep.
    public let id: String
    /// The number of the revision, from 1.
    public let revision: Int
    /// The name for display.
    public let name: String?
    /// The document, as its author wrote it.
    public let text: String
    /// The time at which this revision was written, to the millisecond; `nil` if unknown.
    public let time: Date?

    /// Makes an entry.
    public init(id: String, revision: Int, name: String?, text: String, time: Date? = nil) {
        self.id = id
        self.revision = revision
        self.name = name
        self.text = text
        self.time = time
    }

    /// The draft that stores this revision again, for a rollback.
    public var draft: StreamDraft { StreamDraft(id: id, name: name, text: text) }
}
