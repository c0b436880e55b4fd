/// What waits between a source of the outside world and a run: a pure state machine.
struct EdgeBuffer<Value> {
    /// What became of an item.
    enum Offer: Equatable {
        /// It is in, another made room for it, or it was dropped itself.
        case taken(dropped: Bool)
        /// There is no room: the source is to wait.
        case full
        /// The source is to stop: there was no room.
        case overflown
        /// The source is to stop: nothing is wanted any more.
        case closed
    }

    /// What a run takes.
    enum Step {
        case value(Value)
        case end(StreamEnd)
    }

    private let limits: StreamBuffer
    private var items = FIFO<Value>()
    private var end: StreamEnd?
    private(set) var isClosed = false
    /// Whether the run has been told that there is something.
    private var isAnnounced = false

    /// How many items are still to be left out.
    private var skipped: Int

    init(_ limits: StreamBuffer, skipping skipped: Int = 0) {
        self.limits = limits
        self.skipped = skipped
    }

    var hasRoom: Bool { items.count < limits.size || isClosed || end != nil }
    private var hasMore: Bool { !isClosed && (!items.isEmpty || end != nil) }

    mutating func offer(_ value: Value) -> Offer {
        guard !isClosed, end == nil else { return .closed }
        if skipped > 0 {
            skipped -= 1
            return .taken(dropped: false)
        }
        if items.count < limits.size {
            items.append(value)
            return .taken(dropped: false)
        }
        switch limits.whenFull {
        case .block: return .full
        case .fail: return .overflown
        case .dropNewest: return .taken(dropped: true)
        case .dropOldest:
            _ = items.popFirst()
            items.append(value)
            return .taken(dropped: true)
        }
    }

    /// Leaves out one item more: the oldest that waits, or the next that comes.
    mutating func skip() {
        if items.popFirst() == nil { skipped += 1 }
    }

    /// Leaves out the items that wait, but for the newest; returns how many they were.
    mutating func keepNewest() -> Int {
        var count = 0
        while items.count > 1, items.popFirst() != nil { count += 1 }
        return count
    }

    /// What comes after the items that wait; the first counts.
    mutating func finish(_ ending: StreamEnd) { if end == nil { end = ending } }

    /// Whether the run is to be told now; it is then not told again before it has taken something.
    mutating func announce() -> Bool {
        guard hasMore, !isAnnounced else { return false }
        isAnnounced = true
        return true
    }

    /// The oldest item, then the end.
    mutating func take() -> Step? {
        isAnnounced = false
        guard !isClosed else { return nil }
        if let value = items.popFirst() { return .value(value) }
        guard let end else { return nil }
        isClosed = true
        return .end(end)
    }

    /// Nothing is wanted any more.
    mutating func close() {
        isClosed = true
        items.removeAll()
    }
}
