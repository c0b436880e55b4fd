#if Hub
/// The rights of a token. Each role includes the ones before it.
public enum Role: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Reads streams, runs, groups, and events; checks documents without storing them.
    case read
    /// Starts, stops, and resets runs, and reports as a member of a group.
    case run
    /// Writes streams and groups, and runs streams with sinks as a member of a group.
    case edit
    /// Creates and revokes tokens.
    case admin

    /// Orders roles by their rights.
    public static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .read: 0
        case .run: 1
        case .edit: 2
        case .admin: 3
        }
    }
}
#endif
