public import SluiceFilters

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// When the calls of a ``Simulation`` come.
public struct Arrivals: Sendable {
    let gap: @Sendable (_ time: Duration, RandomSource) -> Duration

    /// Makes arrivals from a closure, called for each call but the first with the time since the start and with what to
    /// draw from: how long after the one before it comes. What is below a nanosecond is one.
    public init(_ gap: @escaping @Sendable (_ time: Duration, _ random: RandomSource) -> Duration) {
        self.gap = gap
    }

    /// One call each `interval`.
    public static func every(_ interval: Duration) -> Arrivals { Arrivals { _, _ in interval } }

    /// So many calls a second on average, none of which knows of the others.
    public static func poisson(perSecond rate: Double) -> Arrivals {
        Arrivals { _, random in .seconds(-log(1 - random.double()) / max(rate, 1e-9)) }
    }
}
