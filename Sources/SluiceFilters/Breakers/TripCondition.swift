/// A condition that opens a ``Breaker`` or takes an endpoint out of a ``Balancer``.
///
/// ```swift
/// let condition = TripCondition.failureRate(0.5, ofLast: 100).or(.consecutiveFailures(5))
/// print(condition)  // 50% of 100 calls fail or 5 failures in a row
/// ```
public struct TripCondition: Sendable, CustomStringConvertible {
    enum Rule: Sendable {
        case rate(Sign, Double, CallWindow, minimumCalls: Int)
        case consecutive(Int)
        case average(below: Double, span: Int64, minimumCalls: Int)
    }

    /// The kind of calls that a rate counts.
    enum Sign: Sendable {
        case failure
        case slow(over: Int64)
    }

    /// The calls over which a rate is computed.
    enum CallWindow: Sendable {
        case count(Int)
        case time(span: Int64, slices: Int)
    }

    let rules: [Rule]

    /// Returns a condition that is true when the share `rate` (0 to 1) or more of the last `calls` calls failed, once
    /// `minimumCalls` (by default all of them) have ended.
    ///
    /// The ratio is exact: it does not depend on the spacing of the calls. It takes O(1) and one byte for each call.
    public static func failureRate(_ rate: Double, ofLast calls: Int, minimumCalls: Int? = nil) -> TripCondition {
        share(.failure, rate, .count(calls), minimumCalls ?? calls)
    }

    /// Returns a condition that is true when the share `rate` (0 to 1) or more of the calls of the last `span` failed,
    /// once `minimumCalls` have ended in it. The span moves in `slices` steps.
    public static func failureRate(
        _ rate: Double,
        within span: Duration,
        slices: Int = 10,
        minimumCalls: Int = 20
    ) -> TripCondition {
        share(.failure, rate, .time(span: span.nanoseconds, slices: slices), minimumCalls)
    }

    /// Returns a condition that is true when the share `rate` (0 to 1) or more of the last `calls` calls took longer
    /// than `duration`, failed or not, once `minimumCalls` (by default all of them) have ended.
    public static func slowRate(
        _ rate: Double,
        over duration: Duration,
        ofLast calls: Int,
        minimumCalls: Int? = nil
    ) -> TripCondition {
        share(.slow(over: duration.nanoseconds), rate, .count(calls), minimumCalls ?? calls)
    }

    /// Returns a condition that is true when the share `rate` (0 to 1) or more of the calls of the last `span` took
    /// longer than `duration`, failed or not, once `minimumCalls` have ended in it. The span moves in `slices` steps.
    public static func slowRate(
        _ rate: Double,
        over duration: Duration,
        within span: Duration,
        slices: Int = 10,
        minimumCalls: Int = 20
    ) -> TripCondition {
        share(
            .slow(over: duration.nanoseconds),
            rate,
            .time(span: span.nanoseconds, slices: slices),
            minimumCalls
        )
    }

    /// Returns a condition that is true when `count` calls have failed without a success in between; below 1 counts as
    /// 1.
    public static func consecutiveFailures(_ count: Int = 5) -> TripCondition {
        TripCondition(rules: [.consecutive(max(count, 1))])
    }

    /// Returns a condition that is true when a call fails and the exponentially weighted average of successes over
    /// `span` is below `rate` (0 to 1): not before `span` has passed since the start or the last recovery, and with at
    /// least `minimumCalls` calls in the last `span`.
    ///
    /// This is Finagle's failure accrual. The weight of a call depends on the time since the previous one; to avoid
    /// that, use ``failureRate(_:within:slices:minimumCalls:)``.
    public static func averageSuccess(
        below rate: Double = 0.8,
        over span: Duration = .seconds(30),
        minimumCalls: Int = 5
    ) -> TripCondition {
        TripCondition(rules: [.average(below: rate, span: span.nanoseconds, minimumCalls: minimumCalls)])
    }

    /// Returns a condition that is true when this condition or the other one is.
    public func or(_ other: TripCondition) -> TripCondition { TripCondition(rules: rules + other.rules) }

    /// The condition in words: `5 failures in a row`.
    public var description: String { rules.map { "\($0)" }.joined(separator: " or ") }

    fileprivate static func share(_ sign: Sign, _ rate: Double, _ window: CallWindow, _ minimum: Int) -> TripCondition {
        if case .count(let calls) = window {
            return TripCondition(rules: [.rate(sign, rate, window, minimumCalls: min(max(minimum, 1), max(calls, 1)))])
        }
        return TripCondition(rules: [.rate(sign, rate, window, minimumCalls: max(minimum, 1))])
    }

    /// Returns the same thresholds over `count` probing calls: rates are computed over all of them.
    func overProbes(_ count: Int) -> TripCondition {
        TripCondition(
            rules: rules.map { rule in
                switch rule {
                case .rate(let sign, let rate, _, _): .rate(sign, rate, .count(count), minimumCalls: count)
                case .consecutive(let limit): .consecutive(min(limit, count))
                case .average(let rate, _, _):
                    // No average is computed over few calls: the share of those that succeed must not be below the
                    // rate.
                    .rate(
                        .failure,
                        Double(1 + (0..<count).prefix { Double(count - 1 - $0) >= rate * Double(count) }.count)
                            / Double(count),
                        .count(count),
                        minimumCalls: count
                    )
                }
            }
        )
    }
}

extension TripCondition.Rule: CustomStringConvertible {
    var description: String {
        switch self {
        case .rate(let sign, let rate, let window, _): "\(percent(rate)) of \(window) \(sign)"
        case .consecutive(let count): "\(count) failures in a row"
        case .average(let rate, let span, _):
            "average success below \(percent(rate)) over \(Duration.nanoseconds(span))"
        }
    }
}

extension TripCondition.Sign: CustomStringConvertible {
    var description: String {
        switch self {
        case .failure: "fail"
        case .slow(let limit): "take over \(Duration.nanoseconds(limit))"
        }
    }
}

extension TripCondition.CallWindow: CustomStringConvertible {
    var description: String {
        switch self {
        case .count(let calls): "\(calls) calls"
        case .time(let span, _): "the calls in \(Duration.nanoseconds(span))"
        }
    }
}

/// Returns a share as text, to a hundredth of a percent: `50%`, `0.25%`.
func percent(_ share: Double) -> String {
    let hundredths = (share * 10_000).rounded() / 100
    guard hundredths == hundredths.rounded(), abs(hundredths) < 1e15 else { return "\(hundredths)%" }
    return "\(Int(hundredths))%"
}

extension StackForm where Value == TripCondition {
    /// One of the conditions that open a breaker or take an endpoint out.
    static var condition: StackForm { .oneOf(conditions, absent: .consecutiveFailures()) }
}

private let conditions: [StackChoice<TripCondition>] = {
    let (rate, over) = (StackKey("rate", .share), StackKey("over", .seconds))
    // Either a number of calls or a time span.
    let calls = StackKey(optional: "calls", .count(1...100_000))
        .requiring(
            .init(
                other: "seconds",
                condition: .absent,
                message: "a rate is taken of the last calls or of a span of time",
                hint: "remove one"
            )
        )
    let span = StackKey(optional: "seconds", .positiveSeconds)
    let slices = StackKey("slices", .count(1...100), default: 10)
        .requiring(
            .init(
                other: "seconds",
                condition: .present,
                message: "only a span of time has slices",
                hint: "remove it, or add \"seconds\""
            )
        )
    let least = StackKey(optional: "minimumCalls", .count(1...1_000_000))
    @Sendable func share(_ sign: TripCondition.Sign, _ settings: StackSettings) -> TripCondition {
        let (rate, minimum) = (settings[rate], settings[least])
        if let calls = settings[calls] { return .share(sign, rate, .count(calls), minimum ?? calls) }
        let span = (settings[span] ?? .seconds(30)).nanoseconds
        return .share(sign, rate, .time(span: span, slices: settings[slices]), minimum ?? 20)
    }
    let count = StackKey("count", .count(1...1_000_000), default: 5)
    let (below, average) = (
        StackKey("below", .share, default: 0.8), StackKey("seconds", .positiveSeconds, default: .seconds(30))
    )
    let minimum = StackKey("minimumCalls", .count(1...1_000_000), default: 5)
    return [
        StackChoice("failureRate", [rate, calls, span, slices, least], isOfCalls: true) { share(.failure, $0) },
        StackChoice("slowRate", [rate, over, calls, span, slices, least], isOfCalls: true) {
            share(.slow(over: $0[over].nanoseconds), $0)
        },
        StackChoice("consecutiveFailures", [count]) { .consecutiveFailures($0[count]) },
        StackChoice("averageSuccess", [below, average, minimum]) {
            .averageSuccess(below: $0[below], over: $0[average], minimumCalls: $0[minimum])
        },
    ]
}()
