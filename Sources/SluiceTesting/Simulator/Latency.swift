public import SluiceFilters

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The latency of a ``SimulatedEndpoint``: a distribution, which may change with time.
///
/// ```swift
/// let usual = Latency.normal(mean: .milliseconds(167), deviation: .milliseconds(5))
/// let slow = usual.replaced(by: .constant(.seconds(2)), during: .seconds(15)..<(.seconds(45)))
/// ```
public struct Latency: Sendable {
    let sample: @Sendable (_ time: Duration, RandomSource) -> Duration

    /// Creates a distribution from a closure that returns a latency. It is called for each call with the time since the
    /// start of the simulation and a random source. A negative latency counts as zero.
    public init(_ sample: @escaping @Sendable (_ time: Duration, _ random: RandomSource) -> Duration) {
        self.sample = sample
    }

    /// Returns a constant latency.
    public static func constant(_ duration: Duration) -> Latency { Latency { _, _ in duration } }

    /// Returns a uniform distribution over `range`.
    public static func uniform(_ range: Range<Duration>) -> Latency {
        Latency { _, random in range.lowerBound + (range.upperBound - range.lowerBound) * random.double() }
    }

    /// Returns a normal distribution.
    public static func normal(mean: Duration, deviation: Duration) -> Latency {
        Latency { _, random in mean + deviation * random.normal() }
    }

    /// Returns a log-normal distribution: half of the responses take longer than `median`, and 16 of 100 longer than
    /// e^`sigma` times that.
    public static func lognormal(median: Duration, sigma: Double) -> Latency {
        Latency { _, random in median * exp(sigma * random.normal()) }
    }

    /// Returns an exponential distribution.
    public static func exponential(mean: Duration) -> Latency {
        Latency { _, random in mean * -log(1 - random.double()) }
    }

    /// Returns a latency that adds another one for the share `probability` (0 to 1) of the calls: stalls.
    public func adding(_ other: Latency, withProbability probability: Double) -> Latency {
        Latency { time, random in
            let base = sample(time, random)
            return random.double() < probability ? base + other.sample(time, random) : base
        }
    }

    /// Returns a latency that is replaced by another one for the calls that begin in `times`, counted from the start of
    /// the simulation.
    public func replaced(by other: Latency, during times: Range<Duration>) -> Latency {
        Latency { time, random in times.contains(time) ? other.sample(time, random) : sample(time, random) }
    }
}

extension RandomSource {
    /// Returns a number of the normal distribution with mean 0 and deviation 1 (Box and Muller, 1958).
    func normal() -> Double {
        let radius = (-2 * log(1 - double())).squareRoot()
        return radius * cos(2 * .pi * double())
    }
}
