/// A collection of elements in insertion order, each of which can be removed by its id.
///
/// Adding and removing any element cost O(log *n*): ids ascend, and an empty place is kept until half of the places are
/// empty.
struct Slots<Element> {
    private var slots: [(id: Int, element: Element?)] = []
    private var lastID = 0
    /// The number of elements.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Calls `body` with each element, oldest first.
    func forEach(_ body: (Element) -> Void) {
        for slot in slots {
            if let element = slot.element { body(element) }
        }
    }

    /// Removes all elements and returns them.
    mutating func removeAll() -> Slots {
        let all = self
        (slots, count) = ([], 0)
        return all
    }

    /// Adds an element.
    ///
    /// - Returns: The element's id.
    mutating func add(_ element: Element) -> Int {
        lastID += 1
        count += 1
        slots.append((lastID, element))
        return lastID
    }

    /// Replaces an element; returns `false` if it was removed.
    mutating func replace(_ id: Int, with element: Element) -> Bool {
        guard let index = index(of: id) else { return false }
        slots[index].element = element
        return true
    }

    /// Removes an element and returns it, or `nil` if it was removed before.
    mutating func remove(_ id: Int) -> Element? {
        guard let index = index(of: id), let element = slots[index].element.take() else { return nil }
        count -= 1
        if slots.count > 2 * count + 8 { slots.removeAll { $0.element == nil } }
        return element
    }

    /// Removes the elements that satisfy `condition`, and returns them, oldest first.
    mutating func remove(where condition: (Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        slots.removeAll { slot in
            guard let element = slot.element else { return true }
            guard condition(element) else { return false }
            removed.append(element)
            return true
        }
        count = slots.count
        return removed
    }

    private func index(of id: Int) -> Int? {
        var range = slots.indices
        while let first = range.first {
            let middle = first + range.count / 2
            if slots[middle].id == id { return slots[middle].element == nil ? nil : middle }
            range = slots[middle].id < id ? middle + 1..<range.upperBound : first..<middle
        }
        return nil
    }
}

extension Slots: Sendable where Element: Sendable {}
