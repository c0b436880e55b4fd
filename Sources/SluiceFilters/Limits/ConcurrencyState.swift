/// The state machine of a ``ConcurrencyFilter``, without its lock and its clock. Time is an input, in nanoseconds.
struct ConcurrencyState<Waiter: Sendable>: Sendable {
    enum Admission {
        case run(ConcurrencyPass)
        /// The call is in the line; `evicted` had to leave it.
        case wait(id: Int, evicted: Waiter?)
        case refused
        /// It could not end before its deadline.
        case late
    }

    private struct Entry: Sendable {
        let waiter: Waiter
        /// The latest time to begin, if the call takes as long as almost all do; `.max` for a call without a deadline.
        let deadline: Int64
        let arrival: Int64
    }

    private var kind: ConcurrencyLimit.Kind
    private var line: WaitingLine<Entry>
    private let order: WaitingOrder
    private(set) var running = 0
    /// The time that calls take, measured while others wait.
    private var time = CallTime()
    /// The time since when calls have waited without a break.
    private var busySince: Int64?

    init(_ limit: ConcurrencyLimit, queue: Int, order: WaitingOrder = .oldestFirst) {
        kind = limit.kind
        line = WaitingLine(capacity: queue)
        self.order = order
    }

    var limit: Int {
        switch kind {
        case .fixed(let count): count
        case .aimd(let limit): limit.limit
        case .gradient2(let limit): limit.limit
        case .vegas(let limit): limit.limit
        }
    }

    var waiting: Int { line.count }

    /// Lets a call run if there is room and no call waits.
    mutating func enterAtOnce(now: () -> Int64) -> ConcurrencyPass? {
        running < limit && line.isEmpty ? begin(now) : nil
    }

    /// Lets a call run or wait.
    ///
    /// - Parameter deadline: the deadline of the call. One that would wait so long that it could not end by then doesn't
    ///   wait.
    mutating func enter(
        _ waiter: Waiter,
        priority: Int,
        deadline: Int64 = .max,
        now: () -> Int64
    ) -> Admission {
        if let pass = enterAtOnce(now: now) { return .run(pass) }
        let now = now()
        let newest = isNewestFirst(now: now)
        if deadline < .max, let average = time.average {
            let ahead = newest ? 0 : line.countBefore(priority: priority)
            let wait = Double(ahead + 1) * average / Double(limit)
            if Double(now) + wait > Double(latestStart(deadline: deadline, arrival: now)) { return .late }
        }
        let entry = Entry(waiter: waiter, deadline: deadline, arrival: now)
        guard let (id, evicted) = line.join(entry, priority: priority, evictsOldest: newest) else {
            return .refused
        }
        if busySince == nil { busySince = now }
        return .wait(id: id, evicted: evicted?.waiter)
    }

    /// Takes note of the end of a call that ran. Then ``start(now:_:late:)`` lets others run.
    mutating func leave(_ pass: ConcurrencyPass, _ end: ConcurrencyEnd, now: () -> Int64) {
        running -= 1
        let isAdaptive = if case .fixed = kind { false } else { true }
        guard pass.start > 0 || isAdaptive else { return }
        let now = now()
        if pass.start > 0, !line.isEmpty { time.record(now - pass.start) }
        guard end != .unknown else { return }
        switch kind {
        case .fixed: break
        case .aimd(var limit):
            limit.record(
                isBad: end == .bad,
                duration: now - pass.start,
                inFlight: pass.inFlight,
                generation: pass.generation
            )
            kind = .aimd(limit)
        case .gradient2(var limit):
            limit.record(isBad: end == .bad, duration: now - pass.start, inFlight: pass.inFlight, now: now)
            kind = .gradient2(limit)
        case .vegas(var limit):
            limit.record(isBad: end == .bad, duration: now - pass.start, inFlight: pass.inFlight, now: now)
            kind = .vegas(limit)
        }
    }

    /// Starts the waiting calls that there is room for; `begin` returns whether the call still waits. Calls that can no
    /// longer end before their deadline go to `late`.
    mutating func start(
        now: () -> Int64,
        _ begin: (Waiter, ConcurrencyPass) -> Bool,
        late: (Waiter) -> Void = { _ in }
    ) {
        guard !line.isEmpty else { return }
        let time = now()
        while running < limit, let entry = line.popFirst(newest: isNewestFirst(now: time)) {
            if latestStart(deadline: entry.deadline, arrival: entry.arrival) < time {
                late(entry.waiter)
                continue
            }
            var pass = self.begin(now)
            pass.start = time
            if !begin(entry.waiter, pass) { running -= 1 }
        }
        if line.isEmpty { busySince = nil }
    }

    /// Removes a call that waits no more.
    mutating func remove(_ id: Int) {
        line.remove(id)
        if line.isEmpty { busySince = nil }
    }

    /// The latest time at which a call may begin: a time before its deadline within which almost all calls end, but not more
    /// than half of what it had.
    private func latestStart(deadline: Int64, arrival: Int64) -> Int64 {
        guard deadline < .max, let most = time.most else { return deadline }
        return deadline - Int64(min(most, Double(deadline - arrival) / 2))
    }

    private func isNewestFirst(now: Int64) -> Bool {
        guard case .newestFirst(let time) = order, let busySince else { return false }
        return now - busySince >= time.nanoseconds
    }

    private mutating func begin(_ now: () -> Int64) -> ConcurrencyPass {
        running += 1
        switch kind {
        case .fixed: return ConcurrencyPass()
        case .aimd(let limit): return ConcurrencyPass(start: now(), inFlight: running, generation: limit.generation)
        case .gradient2, .vegas: return ConcurrencyPass(start: now(), inFlight: running)
        }
    }
}

/// The facts about the beginning of a call that runs.
@usableFromInline
struct ConcurrencyPass: Sendable, Equatable {
    var start: Int64 = 0
    var inFlight = 0
    var generation = 0
}

/// The end of a call, as far as a limit asks.
enum ConcurrencyEnd: Sendable {
    case well, bad
    /// The end says nothing, such as cancellation.
    case unknown
}
