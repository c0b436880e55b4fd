/// The end of one call, as far as a ``TripCondition`` needs it.
struct CallOutcome: Sendable {
    var isFailure: Bool
    /// The duration of the call, in nanoseconds.
    var duration: Int64 = 0
}

/// The statistics of a ``TripCondition`` about the calls so far. Time is an input, in nanoseconds.
struct TripState: Sendable {
    /// The number of failures in a row, which is counted here because every endpoint of a balancer counts them; the
    /// smallest limit applies first.
    private var failures = 0
    private let mostFailures: Int
    /// The other rules.
    private var rules: [RuleState]
    /// A Boolean value that indicates whether a rule uses the durations of calls.
    let needsDuration: Bool
    /// A Boolean value that indicates whether a rule uses the times at which calls end.
    let needsTime: Bool

    /// Begins to count at `now`.
    init(_ condition: TripCondition, at now: Int64) {
        mostFailures =
            condition.rules.compactMap { if case .consecutive(let limit) = $0 { limit } else { nil } }.min() ?? .max
        rules = condition.rules.compactMap { RuleState($0, at: now) }
        needsDuration = condition.rules.contains { if case .rate(.slow, _, _, _) = $0 { true } else { false } }
        needsTime = condition.rules.contains { rule in
            switch rule {
            case .rate(_, _, .count, _), .consecutive: false
            case .rate(_, _, .time, _), .average: true
            }
        }
    }

    /// Counts a call; returns `true` if the condition is true after it.
    mutating func record(_ outcome: CallOutcome, at now: Int64) -> Bool {
        failures = outcome.isFailure ? min(failures + 1, mostFailures) : 0
        var isTripped = failures == mostFailures
        for index in rules.indices where rules[index].record(outcome, at: now) { isTripped = true }
        return isTripped
    }
}

/// A rule with its counts; fields that the rule does not need are empty.
private struct RuleState: Sendable {
    private let rule: TripCondition.Rule
    private var count = CountWindow(size: 0)
    private var time = TimeWindow(span: 0, slices: 0)
    private var average: SuccessAverage?

    /// Creates the state of a rule; returns `nil` for failures in a row.
    init?(_ rule: TripCondition.Rule, at now: Int64) {
        self.rule = rule
        switch rule {
        case .rate(_, _, .count(let size), _): count = CountWindow(size: size)
        case .rate(_, _, .time(let span, let slices), _): time = TimeWindow(span: span, slices: slices)
        case .consecutive: return nil
        case .average(let rate, let span, let minimum):
            average = SuccessAverage(required: rate, span: span, minimumCalls: minimum, start: now)
        }
    }

    mutating func record(_ outcome: CallOutcome, at now: Int64) -> Bool {
        switch rule {
        case .rate(let sign, let rate, .count, let minimum):
            count.record(sign.isShown(by: outcome))
            return count.calls >= minimum && isReached(rate, count.hits, of: count.calls)
        case .rate(let sign, let rate, .time, let minimum):
            time.record(sign.isShown(by: outcome), at: now)
            return time.calls >= minimum && isReached(rate, time.hits, of: time.calls)
        case .consecutive: return false
        case .average: return average?.record(outcome, at: now) ?? false
        }
    }

    /// Returns whether a rate is reached, without dividing: a rate of 0 is reached by any call, a rate of 1 only by all
    /// calls.
    private func isReached(_ rate: Double, _ hits: Int, of calls: Int) -> Bool {
        Double(hits) >= rate * Double(calls)
    }
}

extension TripCondition.Sign {
    func isShown(by outcome: CallOutcome) -> Bool {
        switch self {
        case .failure: outcome.isFailure
        case .slow(let limit): outcome.duration > limit
        }
    }
}

/// Finagle's success rate within a duration: an average of successes that is read when a call fails.
private struct SuccessAverage: Sendable {
    let required: Double
    let span: Int64
    let minimumCalls: Int
    let start: Int64
    var average: Average
    var window: TimeWindow

    init(required: Double, span: Int64, minimumCalls: Int, start: Int64) {
        self.required = required
        self.span = span
        self.minimumCalls = minimumCalls
        self.start = start
        average = Average(window: span)
        window = TimeWindow(span: span, slices: 5)
    }

    mutating func record(_ outcome: CallOutcome, at now: Int64) -> Bool {
        average.update(outcome.isFailure ? 0 : 1, at: now)
        window.record(outcome.isFailure, at: now)
        return outcome.isFailure && now - start >= span && average.value < required && window.calls >= minimumCalls
    }
}
