/// The bounds within which a ``Balancer`` takes endpoints out.
///
/// ```swift
/// let balancer = Balancer(over: ["eu-1", "eu-2", "us-1"], limits: EjectionLimits(maximumShare: 0.5)) { host in
///     AnyNode<String, String> { path in host + path }
/// }
/// ```
public struct EjectionLimits: Sendable, Equatable {
    /// The greatest share of the endpoints that is taken out at the same time, from 0 to 1; one endpoint always may be. 1 by
    /// default.
    public var maximumShare: Double
    /// The share of the endpoints that must be alive, from 0 to 1: with fewer, calls are sent to all, so that the living ones
    /// don't break down under the load of the others. 0 by default: only when none is alive.
    public var panicThreshold: Double

    /// Makes limits.
    public init(maximumShare: Double = 1, panicThreshold: Double = 0) {
        self.maximumShare = min(max(maximumShare, 0), 1)
        self.panicThreshold = min(max(panicThreshold, 0), 1)
    }
}
