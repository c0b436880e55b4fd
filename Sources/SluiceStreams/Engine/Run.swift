/// One run of a stream: the time, what is to happen, and what it has cost.
///
/// It is synchronous and deterministic: time is an input, and nothing here waits, locks, or knows a clock. A driver asks
/// when something is due and moves the time there. What is due at the same time happens in the order of arming.
@usableFromInline final class Run {
    /// The time now.
    @exclusivity(unchecked) @usableFromInline var now = StreamTime.zero
    /// The place of what happens now in the order of its instant; before the first, and while the stream is started,
    /// the least.
    fileprivate(set) var order = Int64.min
    /// What the whole run hangs on.
    @usableFromInline let lifetime = Lifetime()
    @usableFromInline let limits: StreamLimits
    /// Takes the errors that operators put out beside the values.
    @usableFromInline var report: (StreamError) -> Void = { _ in }
    /// What it reads of the outside world; `nil` in virtual time.
    @usableFromInline let outside: OutsideInputs?
    /// Takes the failure of the run itself.
    @usableFromInline var abort: (StreamError) -> Void = { _ in }

    /// What is armed.
    private(set) var queue = TimerQueue()
    fileprivate var lastOrder: Int64 = 0
    @exclusivity(unchecked) @usableFromInline var spent = 0
    /// How many items operators hold back.
    private(set) var held = 0
    private var shared = SharedParts()
    /// The sources that tick, by their numbers: where the run is behind, ticks may be left out.
    private var tickers: [Int: Ticker] = [:]
    private var lastTicker = 0

    /// What is saved of the run; `nil` where it is not to be saved.
    @usableFromInline private(set) var root: Part?
    /// Whether subscriptions go on from what was saved, and do not begin.
    private(set) var isRestoring = false
    /// What could not be restored.
    var restoringFailures: [StreamError] = []
    /// What starts the streams that several read, by their keys.
    private var sharedStarts: [String: @Sendable (Scope) -> Void] = [:]
    /// The places of the armed timers, while the run is being saved.
    private var places: [ObjectIdentifier: TimerPlace] = [:]
    /// The subscriptions that an edit begins, once all others are in their places.
    private var beginnings: [() -> Void] = []

    @usableFromInline init(limits: StreamLimits = StreamLimits(), outside: OutsideInputs? = nil) {
        self.limits = limits
        self.outside = outside
    }

    /// When the next thing happens; `nil` when nothing will, unless from outside.
    @usableFromInline var nextDue: StreamTime? { queue.nextDue }

    /// Moves the time to `time` and does all that is due by then; earlier than now is now.
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

    /// Lets one item from outside in at `time`, after all that is due by then; answers whether there was one. Such an
    /// item has the budget of an instant to itself.
    func letIn(at time: StreamTime) -> Bool {
        guard let outside else { return false }
        advance(to: time)
        spent = 0
        return outside.deliverNext()
    }

    /// Lets an item of a journal in.
    ///
    /// - Throws: ``StreamError`` where no such source is read, or the item is none.
    func replay(_ input: StreamInput) throws {
        advance(to: input.time)
        spent = 0
        try outside?.deliver(input)
    }

    private func move(to time: StreamTime) {
        guard time > now else { return }
        now = time
        order = .min
        spent = 0
    }

    // MARK: Timers

    /// Arms a timer after all that are armed for the same time.
    ///
    /// - Parameter since: the time from which the wait counts; `nil` for now.
    func arm(_ timer: Timer, at time: StreamTime, since: StreamTime? = nil) {
        queue.arm(timer, at: time, order: reserve(), since: since ?? now)
    }

    /// Arms a timer at a place in the order that was reserved.
    @usableFromInline func arm(_ timer: Timer, at time: StreamTime, order: Int64, since: StreamTime? = nil) {
        queue.arm(timer, at: time, order: order, since: since ?? now)
    }

    /// Moves an armed timer to the later of now and the end of a wait of `duration`; it keeps its place in the order.
    /// If that is its time already, nothing happens.
    func move(_ timer: Timer, toWait duration: StreamTime) {
        guard timer.isArmed, let end = timer.since.adding(duration), let due = queue.due(of: timer) else { return }
        let time = max(now, end)
        if time == due { return }
        queue.arm(timer, at: time, order: timer.armed, since: timer.since)
        timer.isMovedToNow = time == now
    }

    /// Disarms a timer.
    func disarm(_ timer: Timer) { queue.disarm(timer) }

    /// Reserves places in the order of arming; answers the first.
    @usableFromInline func reserve(_ count: Int = 1) -> Int64 {
        defer { lastOrder += Int64(count) }
        return lastOrder + 1
    }

    /// A timer that is removed when `lifetime` closes.
    @usableFromInline func timer(for lifetime: Lifetime, _ fire: @escaping () -> Void) -> Timer {
        let timer = Timer(fire)
        lifetime.whenClosed { self.queue.remove(timer) }
        return timer
    }

    /// The time `duration` from now; aborts the run when it is more than can be counted.
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

    /// Counts an event of this instant; answers `false`, and aborts the run, when there were too many.
    @inlinable func spend() -> Bool {
        spent &+= 1
        return spent <= limits.eventsPerInstant || overspend()
    }

    /// Aborts the run.
    @usableFromInline func overspend() -> Bool {
        let text = "more than \(limits.eventsPerInstant) events at one instant: does something repeat without a delay?"
        abort(StreamError(message: text))
        return false
    }

    /// Counts items that operators hold back; aborts the run when they are too many.
    fileprivate func hold(_ count: Int) {
        held += count
        if held > limits.heldItems {
            abort(StreamError(message: "operators hold back more than \(limits.heldItems) items"))
        }
    }

    /// The count of what one subscription of an operator holds back.
    @usableFromInline func holding(for lifetime: Lifetime) -> Holding {
        let holding = Holding(self)
        lifetime.whenClosed { holding.close() }
        return holding
    }

    // MARK: Shared parts

    /// What all subscriptions to one part of the graph have in common in this run; made by the first.
    func common<Part: AnyObject>(_ key: Token, _ make: () -> Part) -> Part {
        shared.part(key, make)
    }

    /// Ends everything: the parts of a run keep each other alive until then.
    @usableFromInline func close() {
        lifetime.close()
        queue = TimerQueue()
        shared = SharedParts()
        tickers = [:]
        report = { _ in }
        abort = { _ in }
        root = nil
        sharedStarts = [:]
    }
}

// MARK: Saving

extension Run {
    /// Has the run be one that can be saved; before anything is subscribed.
    ///
    /// - Parameter sharedStarts: what starts the streams that several read, by their keys.
    func keepParts(
        _ sharedStarts: [String: @Sendable (Scope) -> Void],
        restoring clock: SavedClock?,
        _ saved: SavedPart?
    ) {
        self.sharedStarts = sharedStarts
        if let clock { (now, order, lastOrder) = (clock.now, clock.order, clock.lastOrder) }
        root = Part(self, lifetime: lifetime, saved: saved)
    }

    /// The time, and the places in the order.
    var clock: SavedClock { SavedClock(now: now, order: order, lastOrder: lastOrder) }

    /// What is to be saved of all that is subscribed.
    ///
    /// - Parameter unsaved: takes the paths of what cannot be saved.
    func save(_ unsaved: inout [String]) -> SavedPart? {
        places = queue.places
        defer { places = [:] }
        return root?.save(&unsaved)
    }

    /// The place of a timer, while the run is being saved; `nil` where it is not armed.
    func place(of timer: Timer) -> TimerPlace? { places[ObjectIdentifier(timer)] }

    /// Calls `body`, which subscribes to what goes on from what was saved; with `false`, to what begins.
    func restoring(_ isRestored: Bool = true, _ body: () -> Void) {
        let before = isRestoring
        isRestoring = isRestored
        defer { isRestoring = before }
        body()
    }

    /// Starts the streams that several read and nobody has asked for: they go on without readers.
    func claimShared() {
        root?.claim { part, key in sharedStarts[key]?(Scope(run: self, outer: part.outer, part: part)) }
    }

    /// Calls `body` once all subscriptions that go on are in their places, unless `lifetime` is closed by then.
    func begin(for lifetime: Lifetime, _ body: @escaping () -> Void) {
        beginnings.append { if !lifetime.isClosed { body() } }
    }

    /// Begins the subscriptions that an edit begins.
    func beginEdited() {
        while !beginnings.isEmpty {
            let bodies = beginnings
            beginnings = []
            for body in bodies { body() }
        }
    }
}

/// How many items one subscription of an operator holds back; they are given back when it ends.
@usableFromInline final class Holding {
    private let run: Run
    private(set) var count = 0
    private var isOver = false

    fileprivate init(_ run: Run) { self.run = run }

    /// Counts `count` more, or less; nothing any more when the subscription is over.
    @usableFromInline func add(_ count: Int) {
        if isOver { return }
        self.count += count
        run.hold(count)
    }

    /// Counts none any more.
    func removeAll() {
        run.hold(-count)
        count = 0
    }

    /// Counts none from now on.
    fileprivate func close() {
        removeAll()
        isOver = true
    }
}
