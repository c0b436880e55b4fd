/// What an endpoint of a ``Simulation`` does with a call: it takes its time, and fails at times.
///
/// ```swift
/// let endpoint = SimulatedEndpoint("eu-1", latency: .exponential(mean: .milliseconds(20)), capacity: 8) { time in
///     time < .seconds(10) ? 0 : 0.01  // one of a hundred fails from the tenth second on
/// }
/// ```
public struct SimulatedEndpoint: Sendable {
    /// Its name in the report; the answer of its calls.
    public let name: String
    let latency: Latency
    let capacity: Int
    let failing: @Sendable (Duration) -> Double

    /// Describes an endpoint.
    ///
    /// - Parameters:
    ///   - name: its name in the report.
    ///   - latency: how long it takes for an answer, also one that says that it failed.
    ///   - capacity: how many calls it works on at the same time; others wait in line.
    ///   - failing: asked for each call with the time since the start: how likely it fails, from 0 to 1.
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
}

/// What a call to a ``SimulatedEndpoint`` fails with.
public struct SimulatedFailure: Error, Equatable, CustomStringConvertible {
    /// The endpoint's name.
    public let endpoint: String

    /// Makes the error.
    public init(endpoint: String) { self.endpoint = endpoint }

    /// `eu-1 failed`.
    public var description: String { "\(endpoint) failed" }
}
