/// First in, first out.
///
/// - Complexity: O(1) amortized for each operation.
struct FIFO<Element> {
    private var elements: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            head += 1
            if head == elements.count { (elements, head) = ([], 0) }
        }
        return elements[head]
    }
}

extension FIFO: Sendable where Element: Sendable {}
