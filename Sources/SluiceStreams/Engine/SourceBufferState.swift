import Sluice

/// The buffer between a source of the outside world and a run, as a pure state machine.
struct SourceBufferState<Value> {
    /// The result of adding an item.
    enum Offer: Equatable {
        /// It was added, an old item was dropped for it, or it was dropped itself.
        case taken(dropped: Bool)
        /// There is no room: the source has to wait.
        case full
        /// The source has to stop, since there was no room.
        case overflown
        /// The source has to stop, since nothing more is wanted.
        case closed
    }

    /// An item or end that a run takes.
    enum Step {
        /// An item, with its position in the source, if the source gives positions.
        case value(Value, at: String? = nil)
        /// A position without an item.
        case position(String)
        case end(StreamEnd)
    }

    private let limits: StreamBuffer
    /// The items; a position alone has no value.
    private var items = Deque<(value: Value?, position: String?, delivery: StreamDelivery?)>()
    private var end: StreamEnd?
    private(set) var isClosed = false
    /// A Boolean value that indicates whether the run has been notified of new items.
    private var isAnnounced = false

    /// The number of items that are still to be skipped.
    private var skipped: Int

    init(_ limits: StreamBuffer, skipping skipped: Int = 0) {
        self.limits = limits
        self.skipped = skipped
    }

    var hasRoom: Bool { items.count < limits.size || isClosed || end != nil }
    private var hasMore: Bool { !isClosed && (!items.isEmpty || end != nil) }

    mutating func offer(_ value: Value, at position: String? = nil, _ delivery: StreamDelivery? = nil) -> Offer {
        guard !isClosed, end == nil else { return .closed }
        if skipped > 0 {
            skipped -= 1
            return .taken(dropped: false)
        }
        if items.count < limits.size {
            items.append((value, position, delivery))
            return .taken(dropped: false)
        }
        switch limits.whenFull {
        case .block: return .full
        case .fail: return .overflown
        case .dropNewest: return .taken(dropped: true)
        case .dropOldest:
            items.popFirst()?.delivery?.withdraw()
            items.append((value, position, delivery))
            return .taken(dropped: true)
        }
    }

    /// Adds a position without an item, after the waiting items.
    ///
    /// It replaces a position that waits after them without an item, so that there is at most one after each item,
    /// however long the run takes nothing.
    mutating func mark(_ position: String) {
        guard !isClosed, end == nil else { return }
        if let last = items.last, last.value == nil {
            items.replaceLast(with: (nil, position, nil))
        } else {
            items.append((nil, position, nil))
        }
    }

    /// Skips one more item: the oldest waiting one, or the next to come.
    mutating func skip() {
        if items.popFirst() == nil { skipped += 1 }
    }

    /// Leaves out the items that wait, but for the newest; returns how many they were.
    mutating func keepNewest() -> Int {
        var count = 0
        while items.count > 1, let item = items.popFirst() {
            item.delivery?.withdraw()
            count += 1
        }
        return count
    }

    /// Sets the end that follows the waiting items; the first one counts.
    mutating func finish(_ ending: StreamEnd) { if end == nil { end = ending } }

    /// Returns whether the run is to be notified now; it is then not notified again until it has taken something.
    mutating func announce() -> Bool {
        guard hasMore, !isAnnounced else { return false }
        isAnnounced = true
        return true
    }

    /// Removes and returns the oldest item that was not withdrawn, then the end.
    mutating func take() -> (step: Step, delivery: StreamDelivery?)? {
        isAnnounced = false
        guard !isClosed else { return nil }
        while let (value, position, delivery) = items.popFirst() {
            if let delivery, !delivery.hold() { continue }
            return (value.map { .value($0, at: position) } ?? .position(position ?? ""), delivery)
        }
        guard let end else { return nil }
        isClosed = true
        return (.end(end), nil)
    }

    /// Closes the buffer, since nothing more is wanted.
    mutating func close() {
        isClosed = true
        while let item = items.popFirst() { item.delivery?.withdraw() }
    }
}
