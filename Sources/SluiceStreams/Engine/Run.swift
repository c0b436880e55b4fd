/// One run of a stream: its time, its pending timers, and the work that it has done.
///
/// It is synchronous and deterministic: time is an input, and nothing here waits, locks, or knows a clock. A driver
/// asks when something is due and advances the time. Timers that are due at the same time fire in the order of arming.
@usableFromInline final class Run {
    /// The current time.
    @exclusivity(unchecked) @usableFromInline var now = StreamTime.zero
    /// The wall time at which a run in virtual time begins, in nanoseconds since 1970.
    var start: Int64 = 0
    /// The position of the current event in the order of its instant; before the first, and while the stream is
    /// started, the least.
    fileprivate(set) var order = Int64.min
    /// The lifetime of the whole run.
    @usableFromInline let lifetime = Lifetime()
    @usableFromInline let limits: StreamLimits
    /// A closure that takes the errors that operators report separately from the values.
    @usableFromInline var report: (StreamError) -> Void = { _ in }
    /// The sources of the outside world; `nil` in virtual time.
    @usableFromInline let outside: OutsideInputs?
    /// A closure that takes the failure of the run itself.
    @usableFromInline var abort: (StreamError) -> Void = { _ in }

    /// The armed timers.
    private(set) var queue = TimerQueue()
    fileprivate var lastOrder: Int64 = 0
    @exclusivity(unchecked) @usableFromInline var spent = 0
    /// The number of events of an instant up to which nothing is to be checked.
    @exclusivity(unchecked) @usableFromInline var bound: Int
    /// The size of the values that stages have passed on at this instant, in bytes.
    private var passedSize = 0
    /// A closure that returns whether the run is to stop in the middle of an instant; it is called every few events.
    var interruption: (() -> Bool)? { didSet { beginInstant() } }
    /// A Boolean value that indicates whether the run was interrupted, so that its state is that of no instant.
    private(set) var isInterrupted = false
    /// The number of events between two calls of `interruption`.
    private static let eventsPerCheck = 16
    /// The number of items that operators hold back.
    private(set) var held = 0
    private var shared = SharedObjects()
    /// The sources that tick, by their numbers: where the run is behind, ticks may be left out.
    private var tickers: [Int: Ticker] = [:]
    private var lastTicker = 0

    /// The root of the saved parts; `nil` for a run that isn't saved.
    @usableFromInline private(set) var root: StateNode?
    /// A Boolean value that indicates whether subscriptions resume from saved states instead of beginning.
    private(set) var isRestoring = false
    /// The errors of restoring.
    var restoringFailures: [StreamError] = []
    /// The closures that start the shared streams, by their keys.
    private var sharedStarts: [String: @Sendable (Scope) -> Void] = [:]
    /// The positions of the armed timers, while the run is being saved.
    private var places: [ObjectIdentifier: TimerPlace] = [:]
    /// The subscriptions that an edit begins after all others are in place.
    private var beginnings: [() -> Void] = []
    /// The closures that are called once all subscriptions of an edit have begun.
    private var endings: [() -> Void] = []

    @usableFromInline init(limits: StreamLimits = StreamLimits(), outside: OutsideInputs? = nil) {
        self.limits = limits
        self.outside = outside
        bound = limits.eventsPerInstant
    }

    /// The time of the next event; `nil` if only something from outside can cause one.
    @usableFromInline var nextDue: StreamTime? { queue.nextDue }

    /// Advances the time to `time` and does all work that is due by then; an earlier time counts as the current one.
    @usableFromInline func advance(to time: StreamTime) {
        while let (due, order, timer) = queue.take(by: time) {
            move(to: due)
            self.order = order
            guard spend() else { return }
            timer.fire()
        }
        move(to: time)
        order = .max
    }

    /// Lets in one item from outside at `time`, after all work that is due by then; returns `false` if there was none.
    /// Such an item has the budget of an instant of its own.
    func letIn(at time: StreamTime) -> Bool {
        guard let outside else { return false }
        advance(to: time)
        beginInstant()
        return outside.deliverNext()
    }

    /// Lets in an item of a journal.
    ///
    /// - Throws: ``StreamError`` if no such source is being read, or the item is invalid.
    func replay(_ input: StreamInput) throws {
        advance(to: input.time)
        beginInstant()
        try outside?.deliver(input)
    }

    private func move(to time: StreamTime) {
        guard time > now else { return }
        now = time
        order = .min
        beginInstant()
    }

    // MARK: Timers

    /// Arms a timer after all timers that are armed for the same time.
    ///
    /// - Parameter since: The time at which the wait began; `nil` for now.
    func arm(_ timer: Timer, at time: StreamTime, since: StreamTime? = nil) {
        queue.arm(timer, at: time, order: reserve(), since: since ?? now)
    }

    /// Arms a timer at a reserved position in the order.
    @usableFromInline func arm(_ timer: Timer, at time: StreamTime, order: Int64, since: StreamTime? = nil) {
        queue.arm(timer, at: time, order: order, since: since ?? now)
    }

    /// Moves an armed timer to the later of now and the end of a wait of `duration`, without changing its position in
    /// the order. If it has that time already, nothing happens.
    func move(_ timer: Timer, toWait duration: StreamTime) {
        guard timer.isArmed, let end = timer.since.adding(duration), let due = queue.due(of: timer) else { return }
        let time = max(now, end)
        if time == due { return }
        queue.arm(timer, at: time, order: timer.armed, since: timer.since)
        timer.isMovedToNow = time == now
    }

    /// Disarms a timer.
    func disarm(_ timer: Timer) { queue.disarm(timer) }

    /// Reserves positions in the order of arming; returns the first.
    @usableFromInline func reserve(_ count: Int = 1) -> Int64 {
        defer { lastOrder += Int64(count) }
        return lastOrder + 1
    }

    /// Returns a timer that is removed when `lifetime` closes.
    @usableFromInline func timer(for lifetime: Lifetime, _ fire: @escaping () -> Void) -> Timer {
        let timer = Timer(fire)
        lifetime.whenClosed { self.queue.remove(timer) }
        return timer
    }

    /// Returns the time `duration` from now; aborts the run if the time is too large.
    @usableFromInline func due(in duration: StreamTime) -> StreamTime? {
        if let due = now.adding(duration) { return due }
        abort(StreamError(message: "the stream is longer than time can be counted, 292 years"))
        return nil
    }

    // MARK: Ticks

    /// A source that ticks.
    private struct Ticker {
        let timer: Timer
        let period: StreamTime
        /// Leaves out up to a number of ticks; returns how many it has left out.
        let skip: (Int) -> Int
    }

    /// Has the ticks of a timer be ones that may be left out, until `lifetime` closes; in live time only.
    ///
    /// - Parameter skip: leaves out up to a number of ticks, and returns how many it has left out.
    func mayBeBehind(
        _ timer: Timer,
        every period: StreamTime,
        for lifetime: Lifetime,
        skip: @escaping (Int) -> Int
    ) {
        guard outside != nil, period > .zero else { return }
        lastTicker += 1
        let number = lastTicker
        tickers[number] = Ticker(timer: timer, period: period, skip: skip)
        lifetime.whenClosed { [weak self] in self?.tickers[number] = nil }
    }

    /// Leaves out the ticks that are overdue at `time`, but for the newest of each source; returns how many they were.
    ///
    /// - Complexity: O(*n*) in what is armed.
    func skipTicks(dueBy time: StreamTime) -> Int {
        if tickers.isEmpty { return 0 }
        let places = queue.places
        var count = 0
        for (_, ticker) in tickers.sorted(by: { $0.key < $1.key }) {
            guard let due = places[ObjectIdentifier(ticker.timer)]?.due, due < time else { continue }
            let overdue = (time.nanoseconds - due.nanoseconds) / ticker.period.nanoseconds
            let skipped = overdue > 0 ? ticker.skip(Int(clamping: overdue)) : 0
            if skipped == 0 { continue }
            count += skipped
            let next = StreamTime(nanoseconds: due.nanoseconds + Int64(skipped) * ticker.period.nanoseconds)
            arm(ticker.timer, at: next, since: StreamTime(nanoseconds: next.nanoseconds - ticker.period.nanoseconds))
        }
        return count
    }

    // MARK: Limits

    private func beginInstant() {
        (spent, passedSize) = (0, 0)
        bound = interruption == nil ? limits.eventsPerInstant : min(limits.eventsPerInstant, Self.eventsPerCheck)
    }

    /// Counts an event of this instant; returns `false`, and aborts the run, if there were too many, or if it is
    /// interrupted.
    @inlinable func spend() -> Bool {
        spent &+= 1
        return spent <= bound || overspend()
    }

    /// Counts the size of a value that a stage passes on at this instant; returns `false`, and aborts the run, where one
    /// value, or all of the instant together, take too much.
    ///
    /// - Parameter path: The path of the stage.
    func pass(_ size: Int, at path: String) -> Bool {
        passedSize &+= size
        if size <= limits.valueSize, passedSize <= limits.instantSize { return true }
        let text =
            size > limits.valueSize
            ? "a value takes \(size.inMegabytes), and may take \(limits.valueSize.inMegabytes)"
            : "the values of one instant take more than \(limits.instantSize.inMegabytes) together: let them come one after the other"
        abort(StreamError(path: path, message: text))
        return false
    }

    /// The error of a run that is interrupted.
    static let interruptionError = StreamError(message: "interrupted")

    /// Aborts the run where it is interrupted.
    ///
    /// - Returns: A Boolean value that indicates whether the run was interrupted now or before.
    func checkInterruption() -> Bool {
        if isInterrupted { return true }
        guard let interruption, interruption() else { return false }
        isInterrupted = true
        abort(Self.interruptionError)
        return true
    }

    /// Continues where the run is not interrupted and there were not too many events; otherwise aborts it.
    @usableFromInline func overspend() -> Bool {
        if checkInterruption() { return false }
        if spent <= limits.eventsPerInstant {
            bound = min(limits.eventsPerInstant, spent + Self.eventsPerCheck)
            return true
        }
        let text = "more than \(limits.eventsPerInstant) events at one instant: does something repeat without a delay?"
        abort(StreamError(message: text))
        return false
    }

    /// Counts items that operators hold back; aborts the run if there are too many.
    fileprivate func hold(_ count: Int) {
        held += count
        if held > limits.heldItems {
            abort(StreamError(message: "operators hold back more than \(limits.heldItems) items"))
        }
    }

    /// Returns the counter of the items that one subscription of an operator holds back.
    @usableFromInline func holding(for lifetime: Lifetime) -> Holding {
        let holding = Holding(self)
        lifetime.whenClosed { holding.close() }
        return holding
    }

    // MARK: Shared parts

    /// Returns the object that all subscriptions to one node of the graph share in this run; the first one creates it.
    func common<StateNode: AnyObject>(_ key: Token, _ make: () -> StateNode) -> StateNode {
        shared.object(key, make)
    }

    /// Ends everything: the parts of a run keep each other alive until then.
    @usableFromInline func close() {
        lifetime.close()
        queue = TimerQueue()
        shared = SharedObjects()
        tickers = [:]
        report = { _ in }
        abort = { _ in }
        root = nil
        sharedStarts = [:]
    }
}

// MARK: Saving

extension Run {
    /// Makes the run one that can be saved; called before anything is subscribed.
    ///
    /// - Parameter sharedStarts: The closures that start the shared streams, by their keys.
    func keepParts(
        _ sharedStarts: [String: @Sendable (Scope) -> Void],
        restoring clock: SavedClock?,
        _ saved: SavedStateNode?
    ) {
        self.sharedStarts = sharedStarts
        if let clock { (now, order, lastOrder) = (clock.now, clock.order, clock.lastOrder) }
        root = StateNode(self, lifetime: lifetime, saved: saved)
    }

    /// The time, and the positions in the order.
    var clock: SavedClock { SavedClock(now: now, order: order, lastOrder: lastOrder) }

    /// Returns the saved state of all subscriptions.
    ///
    /// - Parameter unsaved: Collects the paths of states that cannot be saved.
    func save(_ unsaved: inout [String]) -> SavedStateNode? {
        places = queue.places
        defer { places = [:] }
        return root?.save(&unsaved)
    }

    /// Returns the position of a timer while the run is being saved; `nil` if it is not armed.
    func place(of timer: Timer) -> TimerPlace? { places[ObjectIdentifier(timer)] }

    /// Calls `body`, which subscribes to streams that resume from saved states, or with `false` to streams that begin.
    func restoring(_ isRestored: Bool = true, _ body: () -> Void) {
        let before = isRestoring
        isRestoring = isRestored
        defer { isRestoring = before }
        body()
    }

    /// Starts the shared streams that have not been requested, which continue without readers.
    func claimShared() {
        root?.claim { node, key in sharedStarts[key]?(Scope(run: self, outer: node.outer, node: node)) }
    }

    /// Calls `body` after all continuing subscriptions are in place, unless `lifetime` is closed by then.
    func begin(for lifetime: Lifetime, _ body: @escaping () -> Void) {
        beginnings.append { if !lifetime.isClosed { body() } }
    }

    /// Calls `body` once all subscriptions of an edit have begun.
    func afterEdit(_ body: @escaping () -> Void) { endings.append(body) }

    /// Begins the subscriptions that an edit adds.
    func beginEdited() {
        while !beginnings.isEmpty {
            let bodies = beginnings
            beginnings = []
            for body in bodies { body() }
        }
        let bodies = endings
        endings = []
        for body in bodies { body() }
    }
}

/// The number of items that one subscription of an operator holds back, which are released when it ends.
@usableFromInline final class Holding {
    private let run: Run
    private(set) var count = 0
    private var isOver = false

    fileprivate init(_ run: Run) { self.run = run }

    /// Adds `count`, which may be negative; does nothing after the subscription has ended.
    @usableFromInline func add(_ count: Int) {
        if isOver { return }
        self.count += count
        run.hold(count)
    }

    /// Sets the number to 0.
    func removeAll() {
        run.hold(-count)
        count = 0
    }

    /// Sets the number to 0 for good.
    fileprivate func close() {
        removeAll()
        isOver = true
    }
}
