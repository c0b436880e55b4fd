/// The ids of what has changed since they were last taken.
///
/// There are at most as many as there are things that can change, and a few more: beyond that, all count as changed.
package struct ChangedIDs: Sendable {
    /// The ids; `nil` where all count as changed.
    private var ids: Set<String>?

    /// The number of ids beyond those of all things.
    private static let spare = 1024

    /// Makes one where all count as changed.
    package init() {}

    /// Notes a change.
    ///
    /// - Parameter count: the number of things that there are.
    package mutating func note(_ id: String, of count: Int) {
        ids?.insert(id)
        if let ids, ids.count > count + Self.spare { self.ids = nil }
    }

    /// A Boolean value that indicates whether nothing has changed since the ids were last taken.
    package var isEmpty: Bool { ids?.isEmpty ?? false }

    /// Returns the ids, and forgets them; `nil` where all count as changed.
    package mutating func take() -> Set<String>? {
        defer { ids = [] }
        return ids
    }
}
