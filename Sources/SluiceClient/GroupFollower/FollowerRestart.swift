public import SluiceFilters

/// The policy for restarting a failed stream.
///
/// ```swift
/// let patient = FollowerRestart(attempts: 20, backoff: .exponential(from: .seconds(1), to: .seconds(300)))
/// ```
public struct FollowerRestart: Sendable, Hashable {
    /// The largest number of restarts in a row. After that the stream waits for an edit.
    public var attempts: Int
    /// The delays before restarts.
    public var backoff: Backoff
    /// The time after which a run counts as stable and failures are counted from 1 again.
    public var steadyAfter: Duration

    /// Makes a policy: up to 5 restarts in a row, after 1 second, 2, 4 … up to a minute, each with jitter.
    public init(
        attempts: Int = 5,
        backoff: Backoff = .exponential(from: .seconds(1), to: .seconds(60), jitter: .equal),
        steadyAfter: Duration = .seconds(60)
    ) {
        self.attempts = attempts
        self.backoff = backoff
        self.steadyAfter = steadyAfter
    }

    /// A policy without restarts: a failed stream waits for an edit.
    public static let never = FollowerRestart(attempts: 0)
}
