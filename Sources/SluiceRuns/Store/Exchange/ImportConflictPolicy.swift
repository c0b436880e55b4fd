/// The treatment of an imported stream whose id is already in use.
public enum ImportConflictPolicy: String, Sendable, CaseIterable {
    /// Nothing is imported, and an error says which id it is.
    case refuse
    /// It becomes the next revision of the stream that is there.
    case replace
    /// It gets a new id, and references to it among the imported streams follow.
    case newIDs = "new-ids"
}
