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

/// Entries in the order of their deadlines; any of them can be removed.
///
/// A binary heap whose elements know their place. Inserting the latest deadline, the common case, moves nothing.
struct TimerHeap {
    private var entries: [TimerEntry] = []
    private var lastSequence: UInt64 = 0

    /// The entry that is due first.
    var first: TimerEntry? { entries.first }

    /// - Complexity: O(log *n*), O(1) if the entry is due last.
    mutating func insert(_ entry: TimerEntry) {
        lastSequence += 1
        entry.sequence = lastSequence
        entry.index = entries.count
        entries.append(entry)
        siftUp(entry)
    }

    /// - Returns: `true` if the entry was in the heap.
    /// - Complexity: O(log *n*).
    mutating func remove(_ entry: TimerEntry) -> Bool {
        let index = entry.index
        guard index >= 0 else { return false }
        entry.index = -1
        let last = entries.removeLast()
        if last !== entry {
            place(last, at: index)
            siftUp(last)
            siftDown(last)
        }
        return true
    }

    /// Removes and returns the first entry if it is due at `now`.
    mutating func popDue(_ now: Int64) -> TimerEntry? {
        guard let first, first.deadline <= now, remove(first) else { return nil }
        return first
    }

    private mutating func place(_ entry: TimerEntry, at index: Int) {
        entries[index] = entry
        entry.index = index
    }

    private func isOrdered(_ a: TimerEntry, _ b: TimerEntry) -> Bool {
        a.deadline == b.deadline ? a.sequence < b.sequence : a.deadline < b.deadline
    }

    private mutating func siftUp(_ entry: TimerEntry) {
        while entry.index > 0 {
            let parent = entries[(entry.index - 1) / 2]
            guard isOrdered(entry, parent) else { return }
            swap(entry, parent)
        }
    }

    private mutating func siftDown(_ entry: TimerEntry) {
        while true {
            let left = entry.index * 2 + 1
            guard left < entries.count else { return }
            let right = left + 1
            let isRight = right < entries.count && isOrdered(entries[right], entries[left])
            let child = entries[isRight ? right : left]
            guard isOrdered(child, entry) else { return }
            swap(entry, child)
        }
    }

    private mutating func swap(_ a: TimerEntry, _ b: TimerEntry) {
        let (i, j) = (a.index, b.index)
        place(a, at: j)
        place(b, at: i)
    }
}
