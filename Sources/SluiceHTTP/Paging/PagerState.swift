#if HTTP
/// The position of a pager; pure, apart from its lock.
struct PagerState<Position: Hashable & Sendable>: Sendable {
    /// The number of positions that are remembered, to detect that a server loops.
    private static var memory: Int { 1000 }

    struct Cursor: Sendable {
        /// The position of the next page; `nil` after the last page.
        var position: Position?
        /// The positions of the last pages.
        var recent: [Position] = []
        /// A Boolean value that indicates whether the server has named a page that was already fetched.
        var isRepeated = false
    }

    private let start: Position
    private(set) var place: Cursor
    private var saved: [Cursor] = []
    /// The number of the current journey: a fetch of an earlier one changes nothing.
    private(set) var journey = 0

    init(_ start: Position) {
        self.start = start
        place = Cursor(position: start)
    }

    /// Advances to `next` after a page was fetched.
    mutating func advance(to next: Position?, on journey: Int) {
        guard journey == self.journey, let current = place.position else { return }
        place.recent.append(current)
        if place.recent.count > Self.memory { place.recent.removeFirst() }
        place.isRepeated = next.map(place.recent.contains) ?? false
        place.position = next
    }

    mutating func renew() {
        place = Cursor(position: start)
        journey += 1
    }

    mutating func save() { saved.append(place) }

    mutating func restore() {
        guard let last = saved.popLast() else { return }
        place = last
        journey += 1
    }

    mutating func clear() { saved = [] }
}
#endif
