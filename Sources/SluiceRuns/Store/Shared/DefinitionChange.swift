/// A change in a store of definitions that several hubs share.
public enum DefinitionChange: Sendable, Hashable, CustomStringConvertible {
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

    /// A description such as `a 2` for the revision 2 of the document `a`, `a removed 3`, `group g`, or `no group g`.
    public var description: String {
        switch self {
        case .stored(let document): "\(document.id) \(document.revision)"
        case .removed(let id, let revision): "\(id) removed \(revision)"
        case .group(let name): "group \(name)"
        case .groupRemoved(let name): "no group \(name)"
        case .current: "current"
        }
    }
}
