public import Sluice
public import SluiceFilters

/// A model of an endpoint of a ``Simulation``: its latency, its capacity, its failures, and its own filters.
///
/// ```swift
/// let endpoint = SimulatedEndpoint("eu-1", latency: .exponential(mean: .milliseconds(20)), capacity: 8) { time in
///     time < .seconds(10) ? 0 : 0.01  // one of a hundred fails from the tenth second on
/// }
/// ```
public struct SimulatedEndpoint: Sendable {
    /// Its name in the report, which is also the output of its calls.
    public let name: String
    let latency: Latency
    let capacity: Int
    let failing: @Sendable (Duration) -> Double
    /// The filters of the server around the work.
    private(set) var server: (@Sendable (SimulatedClock, RandomSource) throws -> any SimpleFilter<Int, String>)?

    /// Creates a model of an endpoint.
    ///
    /// - Parameters:
    ///   - name: The name in the report.
    ///   - latency: The latency of a response, including failures.
    ///   - capacity: The maximum number of calls that it works on at the same time; others wait in line.
    ///   - failing: A closure that is called for each call with the time since the start, and that returns the
    ///     probability of failure, from 0 to 1.
    public init(
        _ name: String,
        latency: Latency,
        capacity: Int = .max,
        failing: @escaping @Sendable (_ time: Duration) -> Double = { _ in 0 }
    ) {
        self.name = name
        self.latency = latency
        self.capacity = max(capacity, 1)
        self.failing = failing
    }

    /// Returns the endpoint behind a filter that runs on its server, such as load shedding.
    ///
    /// ```swift
    /// let endpoint = SimulatedEndpoint("eu-1", latency: .exponential(mean: .milliseconds(20)), capacity: 8)
    ///     .behind { clock, random in ConcurrencyFilter(8, queue: 16, order: .newestFirst(), clock: clock) }
    /// ```
    ///
    /// The filter sees the deadline of the caller, as a server does that reads it from a header. A call that it ends
    /// with ``SluiceFilters/OverloadedError``, ``SluiceFilters/RateLimitError``, ``SluiceFilters/SheddingError``, or
    /// ``SluiceFilters/DeadlineError`` counts as rejected in the report.
    ///
    /// - Parameter makeFilter: A closure that returns the filter, with the clock and the random source that it has to
    ///   use. It is called once for each simulation.
    public func behind<F: SimpleFilter<Int, String>>(
        _ makeFilter: @escaping @Sendable (_ clock: SimulatedClock, _ random: RandomSource) throws -> F
    ) -> SimulatedEndpoint {
        var endpoint = self
        endpoint.server = makeFilter
        return endpoint
    }
}

/// The error of a failed call to a ``SimulatedEndpoint``.
public struct SimulatedError: Error, Equatable, CustomStringConvertible {
    /// The name of the endpoint.
    public let endpoint: String

    /// Creates the error.
    public init(endpoint: String) { self.endpoint = endpoint }

    /// The text of the error: `eu-1 failed`.
    public var description: String { "\(endpoint) failed" }
}
