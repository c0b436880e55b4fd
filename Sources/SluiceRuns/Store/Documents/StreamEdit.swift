/// A stream document that takes the place of a revision of it.
public struct StreamEdit: Sendable, Hashable {
    /// The document that is to be stored.
    public var draft: StreamDraft
    /// The revision that its author has read.
    public var revision: Int

    /// Creates an edit.
    public init(_ draft: StreamDraft, ifRevision revision: Int) { (self.draft, self.revision) = (draft, revision) }
}
