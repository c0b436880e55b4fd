/// The state machine of a ``ConcurrencyFilter``, without its lock and its clock. Time is an input, in nanoseconds.
struct ConcurrencyState<Waiter: Sendable>: Sendable {
    enum Admission {
        case run(ConcurrencyPass)
        /// In the line; `evicted` had to leave it.
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

    /// Lets a call run if there is room and nobody waits.
    mutating func enterAtOnce(now: () -> Int64) -> ConcurrencyPass? {
        running < limit && line.isEmpty ? begin(now) : nil
    }

    mutating func enter(_ waiter: Waiter, priority: Int, now: () -> Int64) -> Admission {
        if let pass = enterAtOnce(now: now) { return .run(pass) }
        guard let (id, evicted) = line.join(waiter, priority: priority) else { return .refused }
        return .wait(id: id, evicted: evicted)
    }

    /// A call that ran has ended. Then ``start(now:_:)`` lets others run.
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

    /// Lets those run for whom there is room; `begin` says whether one still waits.
    mutating func start(now: () -> Int64, _ begin: (Waiter, ConcurrencyPass) -> Bool) {
        while running < limit, let waiter = line.popFirst() {
            let pass = self.begin(now)
            if !begin(waiter, pass) { running -= 1 }
        }
    }

    /// One who waited does so no more.
    mutating func remove(_ id: Int) { line.remove(id) }

    private mutating func begin(_ now: () -> Int64) -> ConcurrencyPass {
        running += 1
        guard case .aimd(let limit) = kind else { return ConcurrencyPass() }
        return ConcurrencyPass(start: now(), inFlight: running, generation: limit.generation)
    }
}

/// What a call that may run brings back.
@usableFromInline
struct ConcurrencyPass: Sendable, Equatable {
    var start: Int64 = 0
    var inFlight = 0
    var generation = 0
}

/// How a call ended, as far as a limit asks.
enum ConcurrencyEnd: Sendable {
    case well, bad
    /// It says nothing: it was canceled.
    case unknown
}
