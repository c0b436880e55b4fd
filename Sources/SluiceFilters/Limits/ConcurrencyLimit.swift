internal import SluiceJSON

/// The number of calls of a ``ConcurrencyFilter`` that may run at the same time: a number, or one that follows what comes
/// back.
///
/// ```swift
/// let fixed: ConcurrencyLimit = 10
/// let adaptive = ConcurrencyLimit.aimd(in: 5...200)
/// ```
///
/// | limit | reacts to | fits |
/// |---|---|---|
/// | `.aimd` | calls that are refused, time out, or take longer than `slow` | a known time that is too long |
/// | `.vegas` | the growth of the usual time over the shortest one | times that vary little without load |
/// | `.gradient2` | the growth of the time over its long-term average | times that drift |
public struct ConcurrencyLimit: Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    enum Kind: Sendable {
        case fixed(Int)
        case aimd(AIMD)
        case gradient2(Gradient2)
        case vegas(Vegas)
    }

    let kind: Kind

    /// Returns a limit of `count` calls; below 1 counts as 1.
    public static func fixed(_ count: Int) -> ConcurrencyLimit { ConcurrencyLimit(kind: .fixed(max(count, 1))) }

    /// Additive increase, multiplicative decrease: the congestion control of TCP (NewReno: RFC 5681 and 6582), with calls in
    /// the place of segments.
    ///
    /// The limit grows by one for each call that ends well until the first bad one, and then by one for as many calls as it
    /// allows; only calls that began while all of it was in use count. A call that was refused, timed out, or took longer
    /// than `slow` multiplies it by `backoff`; of the calls that ran then, none changes it further.
    ///
    /// It settles where a bad call comes about as often as the limit takes to grow back, so `slow` should be a time that few
    /// calls take without load: two or three times the usual one.
    ///
    /// - Parameters:
    ///   - initial: The initial limit; the lower bound by default.
    ///   - bounds: The range of the limit.
    ///   - backoff: The factor of a decrease, from 0.5 to 1.
    ///   - slow: The duration above which a call counts as bad.
    public static func aimd(
        initial: Int? = nil,
        in bounds: ClosedRange<Int> = 20...200,
        backoff: Double = 0.9,
        slow: Duration = .seconds(5)
    ) -> ConcurrencyLimit {
        ConcurrencyLimit(
            kind: .aimd(
                AIMD(initial: initial ?? bounds.lowerBound, in: bounds, backoff: backoff, slow: slow.nanoseconds)
            )
        )
    }

    /// The limit Gradient2 of Netflix's concurrency-limits: it shrinks by the ratio of a long-term average of the time that
    /// calls take to their time now, and leaves room for a short line.
    ///
    /// - Parameters:
    ///   - initial: the limit to start with; the lower bound by default.
    ///   - bounds: the limit stays in them.
    ///   - tolerance: the growth of the time that changes nothing, 1.5 by default; below 1 counts as 1.
    ///   - queue: the calls that may wait on the other side.
    public static func gradient2(
        initial: Int? = nil,
        in bounds: ClosedRange<Int> = 20...200,
        tolerance: Double = 1.5,
        queue: Int = 4
    ) -> ConcurrencyLimit {
        ConcurrencyLimit(
            kind: .gradient2(
                Gradient2(initial: initial ?? bounds.lowerBound, in: bounds, tolerance: tolerance, queue: queue)
            )
        )
    }

    /// The limit Vegas of Netflix's concurrency-limits, after TCP Vegas (Brakmo and Peterson, 1995): from the shortest usual
    /// time and the one now it estimates the line on the other side, and holds that between three and six times the
    /// decimal logarithm of the limit.
    ///
    /// - Parameters:
    ///   - initial: the limit to start with; the lower bound by default.
    ///   - bounds: the limit stays in them.
    public static func vegas(initial: Int? = nil, in bounds: ClosedRange<Int> = 20...200) -> ConcurrencyLimit {
        ConcurrencyLimit(kind: .vegas(Vegas(initial: initial ?? bounds.lowerBound, in: bounds)))
    }

    /// `10`, or `20 to 200`.
    public var description: String {
        switch kind {
        case .fixed(let count): "\(count)"
        case .aimd(let limit): "\(limit.bounds.lowerBound) to \(limit.bounds.upperBound)"
        case .gradient2(let limit): "\(limit.bounds.lowerBound) to \(limit.bounds.upperBound)"
        case .vegas(let limit): "\(limit.bounds.lowerBound) to \(limit.bounds.upperBound)"
        }
    }
}

extension ConcurrencyLimit {
    /// Creates a fixed limit, as in `ConcurrencyFilter(10)`.
    public init(integerLiteral value: Int) { self = .fixed(value) }
}

extension StackForm where Value == ConcurrencyLimit {
    /// A whole number, or a limit that adapts.
    static var concurrency: StackForm {
        let range = 1...1_000_000
        return StackForm(shape: .countOr(range, limits.map(\.kind)), absent: .fixed(1)) { json in
            json.int.map { .fixed($0) } ?? json.chosen(from: limits)
        }
    }
}

private let limits: [StackChoice<ConcurrencyLimit>] = {
    let initial = StackKey(optional: "initial", .count(1...1_000_000))
    let from = StackKey("from", .count(1...1_000_000), default: 20)
    let to = StackKey("to", .count(1...1_000_000), default: 200)
    @Sendable func bounds(_ settings: StackSettings) -> ClosedRange<Int> {
        settings[from]...max(settings[to], settings[from])
    }
    let backoff = StackKey("backoff", .number(0.5...1), default: 0.9)
    let slow = StackKey("slow", .positiveSeconds, default: .seconds(5))
    let tolerance = StackKey("tolerance", .number(1...100), default: 1.5)
    let queue = StackKey("queue", .count(0...1_000_000), default: 4)
    return [
        StackChoice("aimd", [initial, from, to, backoff, slow]) {
            .aimd(initial: $0[initial], in: bounds($0), backoff: $0[backoff], slow: $0[slow])
        },
        StackChoice("gradient2", [initial, from, to, tolerance, queue]) {
            .gradient2(initial: $0[initial], in: bounds($0), tolerance: $0[tolerance], queue: $0[queue])
        },
        StackChoice("vegas", [initial, from, to]) { .vegas(initial: $0[initial], in: bounds($0)) },
    ]
}()
