/// A bounded line of waiting calls: the highest priority first, and within a priority in the order of arrival.
///
/// Joining, leaving, and taking the first are O(1) on average for a few priorities.
struct WaitingLine<Element: Sendable>: Sendable {
    private struct Rank: Sendable {
        let priority: Int
        /// The entries in the order of arrival; those that left remain here, but not in `present`.
        var entries: ArraySlice<(id: Int, element: Element)> = []
        var count = 0
    }

    /// The ranks, ordered by priority, the highest first; each has entries.
    private var ranks: [Rank] = []
    /// The priority of each waiting entry.
    private var present: [Int: Int] = [:]
    private var lastID = 0
    let capacity: Int

    /// Creates a line of at most `capacity` entries; below 0 counts as 0.
    init(capacity: Int) { self.capacity = max(capacity, 0) }

    var count: Int { present.count }
    var isEmpty: Bool { present.isEmpty }

    /// Joins the line. If it is full, the last of a lower priority has to leave for it; with `evictsOldest`, the first of a
    /// lower or equal priority.
    ///
    /// - Returns: a name for ``remove(_:)``, and who had to leave; `nil` if there is no place.
    mutating func join(
        _ element: Element,
        priority: Int,
        evictsOldest: Bool = false
    ) -> (id: Int, evicted: Element?)? {
        var evicted: Element?
        if count >= capacity {
            guard let last = ranks.last, last.priority < priority || evictsOldest && last.priority == priority,
                let leaving = popLast(oldest: evictsOldest)
            else { return nil }
            evicted = leaving
        }
        lastID += 1
        let position = ranks.firstIndex { $0.priority <= priority } ?? ranks.endIndex
        if position == ranks.endIndex || ranks[position].priority != priority {
            ranks.insert(Rank(priority: priority), at: position)
        }
        ranks[position].entries.append((lastID, element))
        ranks[position].count += 1
        present[lastID] = priority
        return (lastID, evicted)
    }

    /// Takes the first; with `newest`, the last of the highest priority.
    mutating func popFirst(newest: Bool = false) -> Element? {
        while let entry = ranks.isEmpty ? nil : newest ? ranks[0].entries.popLast() : ranks[0].entries.popFirst() {
            if leave(entry.id, at: 0) { return entry.element }
        }
        return nil
    }

    /// Removes an entry; does nothing if it has been taken or replaced.
    @discardableResult
    mutating func remove(_ id: Int) -> Bool {
        guard let priority = present[id], let position = ranks.firstIndex(where: { $0.priority == priority }) else {
            return false
        }
        _ = leave(id, at: position)
        return true
    }

    /// Returns the number of entries before a new one of this priority.
    func countBefore(priority: Int) -> Int {
        ranks.reduce(0) { $0 + ($1.priority >= priority ? $1.count : 0) }
    }

    private mutating func popLast(oldest: Bool) -> Element? {
        let last = ranks.endIndex - 1
        while last >= 0, let entry = oldest ? ranks[last].entries.popFirst() : ranks[last].entries.popLast() {
            if leave(entry.id, at: last) { return entry.element }
        }
        return nil
    }

    /// Records that an entry of a rank is gone; removes empty ranks, and the entries that left once they are the
    /// majority.
    private mutating func leave(_ id: Int, at position: Int) -> Bool {
        guard present.removeValue(forKey: id) != nil else { return false }
        ranks[position].count -= 1
        if ranks[position].count == 0 {
            ranks.remove(at: position)
        } else if ranks[position].entries.count > 2 * ranks[position].count + 16 {
            let entries = ranks[position].entries.filter { present[$0.id] != nil }
            ranks[position].entries = ArraySlice(entries)
        }
        return true
    }
}
