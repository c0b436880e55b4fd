public import Sluice

/// An entry of a ``CallTimer``, with a deadline; subclasses define what happens then.
///
/// `@unchecked Sendable`: the stored properties are accessed only by the timer, under its lock, or, if the clock calls
/// back, by the one call that schedules and cancels the entry. Subclasses guard what they add.
@usableFromInline
package class TimerEntry: @unchecked Sendable {
    /// The deadline, in nanoseconds of the timer.
    final var deadline: Int64 = 0
    /// The position among the entries with the same deadline.
    final var sequence: UInt64 = 0
    /// The index in the heap, or the clock's id; -1 if it is in neither.
    final var index = -1

    @usableFromInline package init() {}

    /// Handles the deadline. The timer calls it at most once for each scheduling, outside of its lock.
    package func fire() {}
}

extension TimerEntry: HeapElement {
    @usableFromInline package func precedes(_ other: TimerEntry) -> Bool {
        deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
    }

    @usableFromInline package func noteIndex(_ index: Int) { self.index = index }
}

/// Entries in the order of their deadlines; any of them can be removed.
struct TimerHeap {
    private var entries = Heap<TimerEntry>()
    private var lastSequence: UInt64 = 0

    /// The entry that is due first.
    var first: TimerEntry? { entries.first }

    /// - Complexity: O(log *n*), O(1) if the entry is due last.
    mutating func insert(_ entry: TimerEntry) {
        lastSequence += 1
        entry.sequence = lastSequence
        entries.insert(entry)
    }

    /// - Returns: `true` if the entry was in the heap.
    /// - Complexity: O(log *n*).
    mutating func remove(_ entry: TimerEntry) -> Bool {
        guard entry.index >= 0 else { return false }
        entries.remove(at: entry.index)
        return true
    }

    /// Removes and returns the first entry if it is due at `now`.
    mutating func popDue(_ now: Int64) -> TimerEntry? {
        guard let first, first.deadline <= now else { return nil }
        return entries.popFirst()
    }
}
