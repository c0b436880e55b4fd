public import SluiceFilters

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The times at which the calls of a ``Simulation`` begin.
public struct Arrivals: Sendable {
    let gap: @Sendable (_ time: Duration, RandomSource) -> Duration

    /// Creates arrivals from a closure that returns the time between a call and the previous one. It is called for each
    /// call but the first, with the time since the start and a random source. A time below a nanosecond counts as one.
    public init(_ gap: @escaping @Sendable (_ time: Duration, _ random: RandomSource) -> Duration) {
        self.gap = gap
    }

    /// Returns arrivals of one call each `interval`.
    public static func every(_ interval: Duration) -> Arrivals { Arrivals { _, _ in interval } }

    /// Returns independent arrivals with an average number of calls per second.
    public static func poisson(perSecond rate: Double) -> Arrivals {
        Arrivals { _, random in .seconds(-log(1 - random.double()) / max(rate, 1e-9)) }
    }
}
