public import Foundation

/// One line of a stream's history.
public struct StreamRevision: Sendable, Hashable {
    /// The number, from 1; none is used again.
    public let revision: Int
    /// When it was written, to the millisecond; `nil` where that is not known.
    public let time: Date?
    /// Who wrote it, where that was said.
    public let author: String?
    /// What the stream was called.
    public let name: String?
    /// Whether the stream was removed.
    public let isRemoved: Bool

    /// Makes a line.
    public init(revision: Int, time: Date?, author: String?, name: String?, isRemoved: Bool) {
        self.revision = revision
        self.time = time
        self.author = author
        self.name = name
        self.isRemoved = isRemoved
    }
}
