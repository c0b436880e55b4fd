/// A change in a store of definitions that several hubs share.
public enum DefinitionChange: Sendable, Hashable {
    /// A document was stored.
    case stored(StoredStream)
    /// A document was removed; the revision is that of the removal.
    case removed(String, revision: Int)
    /// A group was created, or its streams have changed.
    case group(String)
    /// A group was removed.
    case groupRemoved(String)
    /// Everything that was present when the watch began has come.
    case current
}
