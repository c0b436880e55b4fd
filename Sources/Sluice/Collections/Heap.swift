/// An element of a ``Heap``.
@usableFromInline package protocol HeapElement {
    /// Returns a Boolean value that indicates whether this element leaves a heap before another one.
    func precedes(_ other: Self) -> Bool

    /// Takes note of its index in the heap, or of -1 when it leaves. The default does nothing.
    func noteIndex(_ index: Int)
}

extension HeapElement {
    @inlinable package func noteIndex(_ index: Int) {}
}

/// A binary heap: the element that precedes all others is first.
///
/// Elements that neither precede nor follow each other leave in no particular order.
///
/// - Complexity: O(log *n*) to insert and to remove; O(1) to insert an element that follows all others.
@frozen @usableFromInline package struct Heap<Element: HeapElement> {
    @usableFromInline var elements: [Element] = []

    @inlinable package init() {}

    /// A Boolean value that indicates whether the heap has no elements.
    @inlinable package var isEmpty: Bool { elements.isEmpty }

    /// The number of elements.
    @inlinable package var count: Int { elements.count }

    /// The element that precedes all others.
    @inlinable package var first: Element? { elements.first }

    /// All elements; only the place of the first one is defined.
    @inlinable package var unordered: [Element] { elements }

    /// Inserts an element.
    @inlinable package mutating func insert(_ element: Element) {
        elements.append(element)
        element.noteIndex(elements.count - 1)
        lift(elements.count - 1)
    }

    /// Removes and returns the first element, or `nil` if it is empty.
    @inlinable package mutating func popFirst() -> Element? {
        elements.isEmpty ? nil : remove(at: 0)
    }

    /// Removes and returns the element at an index, of which it has taken note.
    ///
    /// - Precondition: The heap has an element at the index.
    @inlinable @discardableResult package mutating func remove(at index: Int) -> Element {
        let element = elements[index]
        let last = elements.removeLast()
        element.noteIndex(-1)
        if index < elements.count {
            place(last, at: index)
            lift(index)
            sink(index)
        }
        return element
    }

    /// Removes all elements for which a closure returns true.
    ///
    /// - Complexity: O(*n*).
    @inlinable package mutating func removeAll(where isRemoved: (Element) -> Bool) {
        let removed = elements.partition(by: isRemoved)
        for element in elements[removed...] { element.noteIndex(-1) }
        elements.removeSubrange(removed...)
        for (index, element) in elements.enumerated() { element.noteIndex(index) }
        for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(index) }
    }

    @inlinable mutating func place(_ element: Element, at index: Int) {
        elements[index] = element
        element.noteIndex(index)
    }

    /// Moves an element up to its place.
    @inlinable mutating func lift(_ start: Int) {
        let element = elements[start]
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard element.precedes(elements[parent]) else { break }
            place(elements[parent], at: index)
            index = parent
        }
        if index != start { place(element, at: index) }
    }

    /// Moves an element down to its place.
    @inlinable mutating func sink(_ start: Int) {
        let element = elements[start]
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < elements.count else { break }
            if child + 1 < elements.count, elements[child + 1].precedes(elements[child]) { child += 1 }
            guard elements[child].precedes(element) else { break }
            place(elements[child], at: index)
            index = child
        }
        if index != start { place(element, at: index) }
    }
}

extension Heap: Sendable where Element: Sendable {}
