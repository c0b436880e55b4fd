/// A first-in, first-out queue: a ring buffer that grows.
///
/// - Complexity: O(1) for each operation, amortized.
@usableFromInline struct FIFO<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @inlinable init() {}

    @inlinable var isEmpty: Bool { count == 0 }

    /// The oldest element.
    @inlinable var first: Element? { isEmpty ? nil : elements[head] }

    /// The newest element.
    var last: Element? { isEmpty ? nil : elements[lastIndex] }

    private var lastIndex: Int { (head + count - 1) & (elements.count - 1) }

    /// Replaces the newest element, of which there has to be one.
    mutating func replaceLast(with element: Element) { elements[lastIndex] = element }

    /// All elements, the oldest first.
    var all: [Element] { (0..<count).compactMap { elements[(head + $0) & (elements.count - 1)] } }

    @inlinable mutating func append(_ element: Element) {
        if count == elements.count { grow() }
        elements[(head + count) & (elements.count - 1)] = element
        count += 1
    }

    @inlinable mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = elements[head]
        elements[head] = nil
        head = (head + 1) & (elements.count - 1)
        count -= 1
        if count == 0 && elements.count > 1024 { (elements, head) = ([], 0) }
        return element
    }

    @inlinable mutating func removeAll() { self = FIFO() }

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

extension FIFO: Sendable where Element: Sendable {}
