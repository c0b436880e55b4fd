/// The state machine of a ``ConcurrencyFilter``, without its lock and its clock. Time is an input, in nanoseconds.
struct ConcurrencyState<Waiter: Sendable>: Sendable {
    enum Admission {
        case run(ConcurrencyPass)
        /// The call is in the line; `evicted` had to leave it.
        case wait(id: Int, evicted: Waiter?)
        case refused
    }

    private var kind: ConcurrencyLimit.Kind
    private var line: WaitingLine<Waiter>
    private(set) var running = 0

    init(_ limit: ConcurrencyLimit, queue: Int) {
        kind = limit.kind
        line = WaitingLine(capacity: queue)
    }

    var limit: Int {
        switch kind {
        case .fixed(let count): count
        case .aimd(let limit): limit.limit
        }
    }

    var waiting: Int { line.count }

    /// Lets a call run if there is room and no call waits.
    mutating func enterAtOnce(now: () -> Int64) -> ConcurrencyPass? {
        running < limit && line.isEmpty ? begin(now) : nil
    }

    mutating func enter(_ waiter: Waiter, priority: Int, now: () -> Int64) -> Admission {
        if let pass = enterAtOnce(now: now) { return .run(pass) }
        guard let (id, evicted) = line.join(waiter, priority: priority) else { return .refused }
        return .wait(id: id, evicted: evicted)
    }

    /// Counts the end of a call that ran. Then ``start(now:_:)`` lets others run.
    mutating func leave(_ pass: ConcurrencyPass, _ end: ConcurrencyEnd, now: () -> Int64) {
        running -= 1
        guard end != .unknown, case .aimd(var limit) = kind else { return }
        limit.record(
            isBad: end == .bad,
            duration: now() - pass.start,
            inFlight: pass.inFlight,
            generation: pass.generation
        )
        kind = .aimd(limit)
    }

    /// Lets waiting calls run while there is room; `begin` returns whether a call still waits.
    mutating func start(now: () -> Int64, _ begin: (Waiter, ConcurrencyPass) -> Bool) {
        while running < limit, let waiter = line.popFirst() {
            let pass = self.begin(now)
            if !begin(waiter, pass) { running -= 1 }
        }
    }

    /// Removes a waiting call.
    mutating func remove(_ id: Int) { line.remove(id) }

    private mutating func begin(_ now: () -> Int64) -> ConcurrencyPass {
        running += 1
        guard case .aimd(let limit) = kind else { return ConcurrencyPass() }
        return ConcurrencyPass(start: now(), inFlight: running, generation: limit.generation)
    }
}

/// The information that the end of a call needs, for a call that may run.
@usableFromInline
struct ConcurrencyPass: Sendable, Equatable {
    var start: Int64 = 0
    var inFlight = 0
    var generation = 0
}

/// The end of a call, as far as a limit needs it.
enum ConcurrencyEnd: Sendable {
    case well, bad
    /// The end says nothing, such as cancellation.
    case unknown
}
