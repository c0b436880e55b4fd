public import Foundation

/// An entry in a stream's history.
public struct StreamRevision: Sendable, Hashable {
    /// The number of the revision, from 1. A number is never reused.
    public let revision: Int
    /// The time at which it was written, to the millisecond; `nil` if unknown.
    public let time: Date?
    /// The author of the revision, if known.
    public let author: String?
    /// The name of the stream at that revision.
    public let name: String?
    /// A Boolean value that indicates whether this revision removed the stream.
    public let isRemoved: Bool

    /// Makes an entry.
    public init(revision: Int, time: Date?, author: String?, name: String?, isRemoved: Bool) {
        self.revision = revision
        self.time = time
        self.author = author
        self.name = name
        self.isRemoved = isRemoved
    }
}
