/// A queue in a ring buffer that grows: elements are appended at its end and leave at its beginning.
///
/// - Complexity: O(1) for each operation, amortized.
@frozen @usableFromInline package struct Deque<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var length = 0

    @inlinable package init() {}

    /// The number of elements.
    @inlinable package var count: Int { length }

    /// A Boolean value that indicates whether the queue has no elements.
    @inlinable package var isEmpty: Bool { length == 0 }

    /// The number of elements for which there is room.
    var capacity: Int { elements.count }

    /// The oldest element.
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    /// The newest element.
    @inlinable package var last: Element? { isEmpty ? nil : elements[lastIndex] }

    @inlinable var lastIndex: Int { (head + length - 1) & (elements.count - 1) }

    /// Replaces the newest element.
    ///
    /// - Precondition: The queue has an element.
    @inlinable package mutating func replaceLast(with element: Element) { elements[lastIndex] = element }

    /// All elements, the oldest first.
    ///
    /// - Complexity: O(*n*).
    @inlinable package var all: [Element] {
        (0..<length).compactMap { elements[(head + $0) & (elements.count - 1)] }
    }

    /// Appends an element.
    @inlinable package mutating func append(_ element: Element) {
        if length == elements.count { grow() }
        elements[(head + length) & (elements.count - 1)] = element
        length += 1
    }

    /// Removes and returns the oldest element, or `nil` if it is empty.
    @inlinable package mutating func popFirst() -> Element? {
        guard length > 0 else { return nil }
        let element = elements[head]
        elements[head] = nil
        head = (head + 1) & (elements.count - 1)
        length -= 1
        // A buffer that was large for a moment is given back.
        if length == 0 && elements.count > 1024 { (elements, head) = ([], 0) }
        return element
    }

    /// Removes all elements.
    @inlinable package mutating func removeAll() { self = Deque() }

    /// Doubles the number of places, which is a power of two.
    @inlinable mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(8, elements.count * 2))
        larger.append(contentsOf: elements[head...])
        larger.append(contentsOf: elements[..<head])
        larger.append(contentsOf: repeatElement(nil, count: max(8, elements.count * 2) - elements.count))
        (elements, head) = (larger, 0)
    }
}

extension Deque: Sendable where Element: Sendable {}
