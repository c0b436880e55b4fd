/// A stream document to be stored.
public struct StreamDraft: Sendable, Hashable {
    /// The id of the stream, which edits keep.
    public var id: String
    /// The name for display.
    public var name: String?
    /// The document, as its author wrote it.
    public var text: String

    /// Makes a draft.
    public init(id: String, name: String?, text: String) {
        self.id = id
        self.name = name
        self.text = text
    }
}
