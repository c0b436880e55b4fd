/// The liveness of an endpoint, determined by the ends of its calls: Finagle's failure accrual, without its lock and
/// its clock. Time is an input, in nanoseconds.
///
/// ```
/// alive ── the condition holds ──▶ dead ── the pause is over ──▶ probing: one call
///   ▲                               ▲                              │  │
///   │                               └───────── it fails ───────────┘  │
///   └───────────────────────────────────────── it ends well ──────────┘
/// ```
struct Liveness: Sendable {
    /// The change that the balancer has to make after the end of a call.
    enum Change: Equatable, Sendable {
        case none
        /// Take the endpoint out until this time.
        case died(until: Int64)
        /// Put the endpoint back.
        case revived
    }

    private enum Phase {
        case alive
        case dead
        case probing
    }

    private let condition: TripCondition
    private var phase = Phase.alive
    /// The counts of a live endpoint.
    private var trip: TripState
    /// The number of changes, so that a call that began before a change does not count after it.
    private(set) var epoch = 0
    /// The epoch of the last death.
    private var death = 0
    /// The number of deaths since it was last alive.
    private(set) var deaths = 0
    private let needsTime: Bool
    /// A Boolean value that indicates whether ``record(isFailure:_:now:pause:)`` uses the times at which calls began.
    let needsStart: Bool

    /// The information that the end of a call needs.
    struct Call: Sendable {
        var epoch = 0
        var isProbe = false
        /// The time at which it began, if that matters.
        var start: Int64 = 0
    }

    init(_ condition: TripCondition, at now: Int64) {
        self.condition = condition
        trip = TripState(condition, at: now)
        needsTime = trip.needsTime || trip.needsDuration
        needsStart = trip.needsDuration
    }

    var isAlive: Bool { phase == .alive }

    /// Records that a call is a probe.
    ///
    /// - Returns: The time at which to let another one through if this one does not end.
    mutating func probe(at now: Int64, pause: (Int) -> Int64) -> Int64 {
        epoch += 1
        phase = .probing
        return now.advanced(byClamping: max(pause(deaths), 1))
    }

    /// Counts the end of a call; `nil` if the end says nothing.
    ///
    /// A dead endpoint is called when all are dead. A success of a call that began after its death revives it, since
    /// there is no better proof.
    mutating func record(isFailure: Bool?, _ call: Call, now: () -> Int64, pause: (Int) -> Int64) -> Change {
        if phase == .alive {
            guard let isFailure, call.epoch == epoch else { return .none }
            let time = needsTime ? now() : 0
            let isTripped = trip.record(CallOutcome(isFailure: isFailure, duration: time - call.start), at: time)
            return isTripped ? die(at: now(), pause) : .none
        }
        if isFailure == false, call.epoch >= death { return revive(at: now()) }
        guard phase == .probing, call.isProbe, call.epoch == epoch else { return .none }
        guard isFailure == true else {
            phase = .dead
            return .died(until: now())
        }
        return die(at: now(), pause)
    }

    private mutating func die(at now: Int64, _ pause: (Int) -> Int64) -> Change {
        epoch += 1
        death = epoch
        deaths += 1
        phase = .dead
        return .died(until: now.advanced(byClamping: max(pause(deaths), 0)))
    }

    private mutating func revive(at now: Int64) -> Change {
        epoch += 1
        deaths = 0
        phase = .alive
        trip = TripState(condition, at: now)
        return .revived
    }
}
