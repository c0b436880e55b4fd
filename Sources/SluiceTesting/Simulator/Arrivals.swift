public import SluiceFilters

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The times at which the calls of a ``Simulation`` begin.
///
/// ```swift
/// let steady = Arrivals.poisson(perSecond: 200)
/// let users = Arrivals.closed(callers: 50, thinking: .exponential(mean: .seconds(1)))
/// ```
public struct Arrivals: Sendable {
    enum Kind: Sendable {
        /// Calls begin whether or not others have ended.
        case open(gap: @Sendable (_ time: Duration, RandomSource) -> Duration)
        /// Each caller waits for the end of its call, thinks, and calls again.
        case closed(callers: Int, thinking: Latency)
    }

    let kind: Kind

    /// Creates arrivals from a closure that returns the time between a call and the previous one. It is called for each
    /// call but the first, with the time since the start and a random source. A time below a nanosecond counts as one.
    public init(_ gap: @escaping @Sendable (_ time: Duration, _ random: RandomSource) -> Duration) {
        kind = .open(gap: gap)
    }

    private init(_ kind: Kind) { self.kind = kind }

    /// Returns arrivals of one call each `interval`.
    public static func every(_ interval: Duration) -> Arrivals { Arrivals { _, _ in interval } }

    /// Returns independent arrivals with an average number of calls per second.
    public static func poisson(perSecond rate: Double) -> Arrivals {
        Arrivals { _, random in .seconds(-log(1 - random.double()) / max(rate, 1e-9)) }
    }

    /// Returns the arrivals of a number of callers that have one call at a time: a closed loop, in which slow responses
    /// slow the callers down.
    ///
    /// - Parameters:
    ///   - callers: The number of callers; below 1 counts as 1. Caller *i* belongs to client *i* modulo `clients`.
    ///   - thinking: The time that a caller waits before its first call, and after the end of each call. A time below
    ///     a microsecond counts as one.
    public static func closed(callers: Int, thinking: Latency) -> Arrivals {
        Arrivals(.closed(callers: max(callers, 1), thinking: thinking))
    }
}
