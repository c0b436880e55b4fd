#if HTTP
import Sluice

/// A pager that fetches one page at a time.
///
/// ```swift
/// let pager = Pager.offset(size: 2) { offset, size in Array([1, 2, 3, 4, 5].dropFirst(offset).prefix(size)) }
/// for try await number in pager.items { print(number) }  // 1, 2, 3, 4, 5
/// pager.renew()
/// let first = try await pager.next()                     // [1, 2]
/// ```
///
/// See ``offset(from:size:_:)``, ``pages(from:size:_:)``, ``cursor(_:)``, and ``links(from:through:_:)`` for the usual
/// kinds. Concurrent calls wait for each other, so that each gets a page of its own. A fetch that fails or is canceled
/// changes nothing: the next call fetches the same page.
///
/// A pager is a reference type: all holders share its position.
public final class Pager<Position: Hashable & Sendable, Item: Sendable>: Sendable {
    private let fetch: @Sendable (Position) async throws -> Page<Position, Item>
    private let turn = Turn()
    private let state: Locked<PagerState<Position>>

    /// Makes a pager.
    ///
    /// - Parameters:
    ///   - start: the position of the first page.
    ///   - fetch: a closure that fetches a page; called once for each page, on the caller's executor, never
    ///     concurrently.
    public init(from start: Position, _ fetch: @escaping @Sendable (Position) async throws -> Page<Position, Item>) {
        self.fetch = fetch
        state = Locked(PagerState(start))
    }

    /// Fetches the next page.
    ///
    /// - Returns: the items of the page; `nil` after the last page.
    /// - Throws: the error of `fetch`, without a change of the position; ``PagingError`` when the server names one of
    ///   the last thousand pages again, each time until ``renew()`` or ``restore()``.
    /// - Cancellation: cancels the fetch, or the wait for that of another call; the position does not change.
    nonisolated(nonsending) public func next() async throws -> [Item]? {
        try await turn.take {
            let (place, journey) = state.withLock { ($0.place, $0.journey) }
            guard let position = place.position else { return nil }
            if place.isRepeated { throw PagingError.repeated("\(position)") }
            try Task.checkCancellation()
            let page = try await fetch(position)
            state.withLock { $0.advance(to: page.next, on: journey) }
            return page.items
        }
    }

    /// A Boolean value that indicates whether there is another page, as far as known.
    public var hasNext: Bool { state.withLock { $0.place.position != nil } }

    /// The position of the next page, to continue from there later; `nil` after the last page.
    public var position: Position? { state.withLock { $0.place.position } }

    /// Returns to the first page. Saved positions stay.
    ///
    /// A running fetch still returns its items to its caller, but does not change the position.
    public func renew() { state.withLock { $0.renew() } }

    /// Saves the position of the pager on a stack.
    public func saveState() { state.withLock { $0.save() } }

    /// Returns to the position that was saved last, and removes it from the stack; does nothing if the stack is empty.
    ///
    /// A running fetch still returns its items to its caller, but does not change the position.
    public func restore() { state.withLock { $0.restore() } }

    /// Removes all saved positions.
    public func clearStates() { state.withLock { $0.clear() } }
}

extension Pager {
    /// The pages from the current position on; iterating advances the pager.
    public var pages: Pages { Pages(pager: self) }

    /// The items of the pages from the current position on; iterating advances the pager a page at a time.
    public var items: Items { Items(pager: self) }

    /// A sequence of pages; see ``Pager/pages``.
    public struct Pages: AsyncSequence, Sendable {
        /// The items of one page.
        public typealias Element = [Item]
        let pager: Pager

        /// An iterator that fetches one page at a time.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let pager: Pager

            /// Returns the next page; throws and is canceled as ``Pager/next()`` is, and fetches again after an error.
            nonisolated(nonsending) public mutating func next() async throws -> [Item]? { try await pager.next() }
        }

        /// Returns an iterator, which starts at the position of the pager.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pager: pager) }
    }

    /// A sequence of items; see ``Pager/items``.
    public struct Items: AsyncSequence, Sendable {
        /// The item type of the pages.
        public typealias Element = Item
        let pager: Pager

        /// An iterator that fetches a page when the items of the previous one are used up.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let pager: Pager
            var rest: ArraySlice<Item> = []

            /// Returns the next item; throws and is canceled as ``Pager/next()`` is, and fetches again after an error.
            nonisolated(nonsending) public mutating func next() async throws -> Item? {
                while rest.isEmpty {
                    guard let page = try await pager.next() else { return nil }
                    rest = page[...]
                }
                return rest.removeFirst()
            }
        }

        /// Returns an iterator, which starts at the position of the pager.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pager: pager) }
    }
}
#endif
