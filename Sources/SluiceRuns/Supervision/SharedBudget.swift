import Synchronization

/// The memory that members share, such as the backlogs of all runs, or of all subscribers.
///
/// While all of them are within the limit, each may take as much as its own limit allows. Beyond it, a member that has more
/// than its share may take no more, and the others are not held up.
package final class SharedBudget: Sendable {
    /// The most bytes that all members take.
    package let limit: Int
    private let size = Atomic(0)
    private let members = Atomic(0)

    /// Makes a budget.
    package init(limit: Int) { self.limit = limit }

    /// The bytes that all members take.
    package var byteCount: Int { size.load(ordering: .relaxed) }

    /// The bytes that each member may take in any case.
    package var share: Int { limit / max(1, members.load(ordering: .relaxed)) }

    /// Adds a member.
    package func join() { members.wrappingAdd(1, ordering: .relaxed) }

    /// Removes a member that takes some bytes.
    package func leave(_ bytes: Int) {
        members.wrappingSubtract(1, ordering: .relaxed)
        change(by: -bytes)
    }

    /// Notes that a member takes more bytes, or fewer.
    package func change(by bytes: Int) { if bytes != 0 { size.wrappingAdd(bytes, ordering: .relaxed) } }

    /// Returns a Boolean value that indicates whether a member with so many bytes may take no more.
    package func isExhausted(at bytes: Int) -> Bool { byteCount > limit && bytes > share }
}
