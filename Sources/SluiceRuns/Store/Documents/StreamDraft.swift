/// A stream document that is to be stored.
public struct StreamDraft: Sendable, Hashable {
    /// Who it is, through all edits.
    public var id: String
    /// What people call it.
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
