/// A part of a list: a number of elements at most, and no more after a size. Where there is an element, it has one.
package struct StoredPage<Element> {
    /// The size in bytes that ends a page.
    package static var largestSize: Int { 8 << 20 }

    /// The elements.
    package private(set) var elements: [Element] = []
    private var size = 0
    private let limit: Int

    /// Creates an empty page of at most `limit` elements.
    package init(limit: Int) { self.limit = limit }

    /// Creates a page of the first elements of a list.
    package init(of list: some Sequence<Element>, limit: Int, size: (Element) -> Int) {
        self.limit = limit
        for element in list {
            if isFull { break }
            append(element, size: size(element))
        }
    }

    /// A Boolean value that indicates whether the page takes no more.
    package var isFull: Bool { elements.count >= limit || size >= Self.largestSize }

    /// Appends an element, unless the page is full.
    package mutating func append(_ element: Element, size: Int) {
        guard !isFull else { return }
        elements.append(element)
        self.size += size
    }
}

extension StoredOutput {
    /// The size that counts for a page, in bytes.
    package var size: Int { text.utf8.count }
}

extension StoredDeadLetter {
    /// The size that counts for a page, in bytes.
    package var size: Int { items.utf8.count + (request?.utf8.count ?? 0) + error.utf8.count }
}
