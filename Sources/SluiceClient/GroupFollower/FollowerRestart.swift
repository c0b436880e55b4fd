public import SluiceFilters

/// What becomes of a stream that has failed.
///
/// ```swift
/// let patient = FollowerRestart(attempts: 20, backoff: .exponential(from: .seconds(1), to: .seconds(300)))
/// ```
public struct FollowerRestart: Sendable, Hashable {
    /// How often in a row it begins again; after that it waits for an edit.
    public var attempts: Int
    /// How long it waits before it does.
    public var backoff: Backoff
    /// A run that lasted so long is a success: failures count from 1 again.
    public var steadyAfter: Duration

    /// Makes a policy: up to 5 times in a row, after 1 second, 2, 4 … up to a minute, each spread.
    public init(
        attempts: Int = 5,
        backoff: Backoff = .exponential(from: .seconds(1), to: .seconds(60), jitter: .equal),
        steadyAfter: Duration = .seconds(60)
    ) {
        self.attempts = attempts
        self.backoff = backoff
        self.steadyAfter = steadyAfter
    }

    /// A stream that has failed waits for an edit.
    public static let never = FollowerRestart(attempts: 0)
}
