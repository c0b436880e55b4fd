/// How a ``Balancer`` chooses among the endpoints that are alive.
public enum BalancingPolicy: Sendable, Equatable, CustomStringConvertible {
    /// One after the other.
    case roundRobin
    /// The one of two random endpoints that has fewer calls under way (the power of two choices, Mitzenmacher 2001).
    case leastLoaded
    /// The one of two random endpoints that costs less, as Finagle's peak EWMA: an average of round trip times that
    /// jumps up at once and comes down over `decay`, times the calls under way.
    case peakEWMA(decay: Duration = .seconds(10))

    /// `round robin`, `least loaded` or `peak EWMA`.
    public var description: String {
        switch self {
        case .roundRobin: "round robin"
        case .leastLoaded: "least loaded"
        case .peakEWMA: "peak EWMA"
        }
    }
}
