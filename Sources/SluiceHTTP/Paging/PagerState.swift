/// Where a pager is; pure, apart from its lock.
struct PagerState<Position: Hashable & Sendable>: Sendable {
    /// How many positions are remembered, to find out that a server goes round.
    private static var memory: Int { 1000 }

    struct Place: Sendable {
        /// Where the next page is; `nil` behind the last.
        var position: Position?
        /// The positions of the last pages.
        var recent: [Position] = []
        /// Whether the server has sent to a page that was there already.
        var isRepeated = false
    }

    private let start: Position
    private(set) var place: Place
    private var saved: [Place] = []
    /// Which journey this is: what was fetched on another one changes nothing.
    private(set) var journey = 0

    init(_ start: Position) {
        self.start = start
        place = Place(position: start)
    }

    /// A page came that leads to `next`.
    mutating func advance(to next: Position?, on journey: Int) {
        guard journey == self.journey, let current = place.position else { return }
        place.recent.append(current)
        if place.recent.count > Self.memory { place.recent.removeFirst() }
        place.isRepeated = next.map(place.recent.contains) ?? false
        place.position = next
    }

    mutating func renew() {
        place = Place(position: start)
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
