/// The policy by which a ``Balancer`` chooses among the live endpoints.
public enum BalancingPolicy: Sendable, Equatable, CustomStringConvertible {
    /// One after the other.
    case roundRobin
    /// The one of two random endpoints with fewer calls in flight (the power of two choices, Mitzenmacher 2001).
    case leastLoaded
    /// The one of two random endpoints with the lower cost, as in Finagle's peak EWMA: an average of round trip times
    /// that rises immediately and falls over `decay`, times the calls in flight.
    case peakEWMA(decay: Duration = .seconds(10))

    /// The name of the policy: `round robin`, `least loaded`, or `peak EWMA`.
    public var description: String {
        switch self {
        case .roundRobin: "round robin"
        case .leastLoaded: "least loaded"
        case .peakEWMA: "peak EWMA"
        }
    }
}
