import Sluice

/// Goes from page to page, one fetch at a time.
///
/// ```swift
/// let pager = Pager.offset(size: 2) { offset, size in Array([1, 2, 3, 4, 5].dropFirst(offset).prefix(size)) }
/// for try await number in pager.items { print(number) }  // 1, 2, 3, 4, 5
/// pager.renew()
/// let first = try await pager.next()                     // [1, 2]
/// ```
///
/// See ``offset(from:size:_:)``, ``pages(from:size:_:)``, ``cursor(_:)`` and ``links(from:through:_:)`` for the usual
/// kinds. Calls at the same time wait for each other, so that each gets a page of its own. A fetch that fails, or is
/// cancelled, changes nothing: the next call fetches the same page.
///
/// A reference type: who holds it shares the place where it is.
public final class Pager<Position: Hashable & Sendable, Item: Sendable>: Sendable {
    private let fetch: @Sendable (Position) async throws -> Page<Position, Item>
    private let turn = Turn()
    private let state: Locked<PagerState<Position>>

    /// Makes a pager.
    ///
    /// - Parameters:
    ///   - start: where the first page is.
    ///   - fetch: called once for each page, where the caller runs, never twice at the same time.
    public init(from start: Position, _ fetch: @escaping @Sendable (Position) async throws -> Page<Position, Item>) {
        self.fetch = fetch
        state = Locked(PagerState(start))
    }

    /// Fetches the next page.
    ///
    /// - Returns: its items; `nil` when the last page was there.
    /// - Throws: the error of `fetch`, and then nothing has changed; ``PagingError`` when the server sends to one of the
    ///   last thousand pages, each time until ``renew()`` or ``restore()``.
    /// - Cancellation: cancels the fetch, or the wait for that of another call; nothing has changed then.
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

    /// Whether there is another page, as far as is known.
    public var hasNext: Bool { state.withLock { $0.place.position != nil } }

    /// Where the next page is, to go on from there another time; `nil` behind the last.
    public var position: Position? { state.withLock { $0.place.position } }

    /// Goes back to the first page. What was saved stays.
    ///
    /// A fetch that is under way ends for the one who waits for it, and moves nothing.
    public func renew() { state.withLock { $0.renew() } }

    /// Saves where the pager is, on top of what was saved before.
    public func saveState() { state.withLock { $0.save() } }

    /// Goes to what was saved last, and takes that away; does nothing where nothing is.
    ///
    /// A fetch that is under way ends for the one who waits for it, and moves nothing.
    public func restore() { state.withLock { $0.restore() } }

    /// Forgets all that was saved.
    public func clearStates() { state.withLock { $0.clear() } }
}

extension Pager {
    /// The pages from where the pager is, and the pager goes along.
    public var pages: Pages { Pages(pager: self) }

    /// The items of the pages from where the pager is, and the pager goes along, a page at a time.
    public var items: Items { Items(pager: self) }

    /// Pages, one after the other; see ``Pager/pages``.
    public struct Pages: AsyncSequence, Sendable {
        /// The items of one page.
        public typealias Element = [Item]
        let pager: Pager

        /// Fetches a page each time.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let pager: Pager

            /// The next page; throws and is cancelled as ``Pager/next()``, and after an error tries again.
            nonisolated(nonsending) public mutating func next() async throws -> [Item]? { try await pager.next() }
        }

        /// Begins where the pager is.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pager: pager) }
    }

    /// Items, one after the other; see ``Pager/items``.
    public struct Items: AsyncSequence, Sendable {
        /// What pages hold.
        public typealias Element = Item
        let pager: Pager

        /// Fetches a page when the items of the last one are used up.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let pager: Pager
            var rest: ArraySlice<Item> = []

            /// The next item; throws and is cancelled as ``Pager/next()``, and after an error tries again.
            nonisolated(nonsending) public mutating func next() async throws -> Item? {
                while rest.isEmpty {
                    guard let page = try await pager.next() else { return nil }
                    rest = page[...]
                }
                return rest.removeFirst()
            }
        }

        /// Begins where the pager is.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pager: pager) }
    }
}
