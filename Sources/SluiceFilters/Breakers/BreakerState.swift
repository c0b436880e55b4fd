/// The state machine of a ``Breaker``, without its lock and its clock. Time is an input, in nanoseconds, which is read
/// only where it matters, since reading a clock costs more than everything else.
struct BreakerState: Sendable {
    /// The information that the end of a passed call needs, so that a call from before a change does not count after
    /// it.
    struct Pass: Sendable {
        let generation: Int
        let start: Int64
    }

    enum Admission {
        case passed(Pass)
        /// The call is rejected, with the time after which a call may pass, if known.
        case refused(retryAfter: Int64?)
    }

    private enum Phase {
        case closed
        case open(until: Int64)
        /// `granted` probes are in flight or have ended, `ended` of them with an outcome. At `expiry`, those that have
        /// not ended are given up and others are let through.
        case halfOpen(granted: Int, ended: Int, expiry: Int64)
    }

    private let condition: TripCondition
    private let probes: Int
    private var phase = Phase.closed
    /// The counts of a closed or half-open breaker.
    private var trip: TripState
    private var generation = 0
    /// The number of times that it opened since it was last closed.
    private(set) var openings = 0
    private(set) var mode = Breaker.Mode.automatic
    private let needsDuration: Bool
    private let needsTime: Bool

    init(_ condition: TripCondition, probes: Int, at now: Int64) {
        self.condition = condition
        self.probes = max(probes, 1)
        trip = TripState(condition, at: now)
        needsDuration = trip.needsDuration
        needsTime = trip.needsTime
    }

    var state: Breaker.State {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// Decides whether a call may pass. `pause` returns the time for which the breaker waits for probes that do not
    /// end.
    mutating func admit(now: () -> Int64, pause: (Int) -> Int64) -> Admission {
        switch mode {
        case .automatic: break
        case .disabled: return .passed(Pass(generation: -1, start: 0))
        case .metricsOnly: return .passed(Pass(generation: generation, start: needsDuration ? now() : 0))
        case .forcedOpen: return .refused(retryAfter: nil)
        }
        if case .closed = phase { return .passed(Pass(generation: generation, start: needsDuration ? now() : 0)) }
        let now = now()
        if case .open(let until) = phase {
            guard now >= until else { return .refused(retryAfter: until - now) }
            startProbing(at: now, pause: pause)
        }
        if case .halfOpen(probes, _, let expiry) = phase, now >= expiry { startProbing(at: now, pause: pause) }
        guard case .halfOpen(let granted, let ended, let expiry) = phase, granted < probes else {
            return .refused(retryAfter: nil)
        }
        phase = .halfOpen(granted: granted + 1, ended: ended, expiry: expiry)
        return .passed(Pass(generation: generation, start: now))
    }

    /// Counts the end of a call; with `nil` the end says nothing, and the place of a probe is free again.
    mutating func record(_ pass: Pass, isFailure: Bool?, now: () -> Int64, pause: (Int) -> Int64) {
        guard pass.generation == generation else { return }
        switch phase {
        case .closed:
            guard let isFailure else { return }
            let time = needsTime || needsDuration ? now() : 0
            let isTripped = trip.record(CallOutcome(isFailure: isFailure, duration: time - pass.start), at: time)
            if isTripped, mode == .automatic { open(at: now(), pause: pause) }
        case .halfOpen(let granted, let ended, let expiry):
            guard let isFailure else {
                phase = .halfOpen(granted: granted - 1, ended: ended, expiry: expiry)
                return
            }
            let now = now()
            if trip.record(CallOutcome(isFailure: isFailure, duration: now - pass.start), at: now) {
                return open(at: now, pause: pause)
            }
            if ended + 1 == probes { return close(at: now) }
            phase = .halfOpen(granted: granted, ended: ended + 1, expiry: expiry)
        case .open: return
        }
    }

    /// Changes the mode and resets the counts; running calls no longer count.
    mutating func setMode(_ mode: Breaker.Mode, at now: Int64) {
        guard mode != self.mode else { return }
        self.mode = mode
        close(at: now)
    }

    /// Closes the breaker and resets the counts.
    mutating func close(at now: Int64) {
        generation += 1
        openings = 0
        phase = .closed
        trip = TripState(condition, at: now)
    }

    private mutating func open(at now: Int64, pause: (Int) -> Int64) {
        generation += 1
        openings += 1
        phase = .open(until: now.advanced(byClamping: max(pause(openings), 0)))
    }

    private mutating func startProbing(at now: Int64, pause: (Int) -> Int64) {
        generation += 1
        trip = TripState(condition.overProbes(probes), at: now)
        phase = .halfOpen(granted: 0, ended: 0, expiry: now.advanced(byClamping: max(pause(openings), 0)))
    }
}
