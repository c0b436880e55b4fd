/// The time in which a new or returning endpoint of a ``Balancer`` gets its full share of the calls.
///
/// ```swift
/// let balancer = Balancer(over: ["eu-1", "eu-2"], slowStart: SlowStart(over: .seconds(10))) { host in
///     AnyNode<String, String> { path in host + path }
/// }
/// ```
///
/// An endpoint that was added to the set, or that a probe has put back, begins with the share `from` of the calls that
/// it would get. The share grows evenly to 1. The endpoints of the first set have their full share at once.
public struct SlowStart: Sendable, Hashable {
    /// The time after which an endpoint has its full share.
    public var duration: Duration
    /// The share at the beginning, from 0 to 1.
    public var share: Double

    /// No slow start.
    public static let none = SlowStart(over: .zero)

    /// Creates a slow start over a time, from a share between 0 and 1.
    public init(over duration: Duration = .seconds(10), from share: Double = 0.1) {
        self.duration = max(duration, .zero)
        self.share = min(max(share, 0), 1)
    }

    /// Returns the share of an endpoint that began `age` nanoseconds ago.
    func share(at age: Int64) -> Double {
        let span = duration.nanoseconds
        guard age < span else { return 1 }
        return share + (1 - share) * Double(max(age, 0)) / Double(span)
    }
}
