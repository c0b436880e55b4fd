/// The treatment of a run that has failed.
///
/// ```swift
/// let policy = RestartPolicy.onFailure(from: .seconds(1), to: .seconds(60))
/// ```
public enum RestartPolicy: Sendable, Equatable {
    /// The run stays failed until a client resumes or starts it.
    case never
    /// The run resumes from its last checkpoint, after a wait that doubles from `from` to `to` with each failure in a row.
    /// After `maxRestarts` restarts in a row, it stays failed. A run that has gone well for longer than `to` begins the
    /// count again.
    case onFailure(from: Duration, to: Duration, maxRestarts: Int = .max)

    /// Returns the wait after the `count`-th failure in a row, from 1; `nil` where the run is not restarted.
    package func wait(after count: Int) -> Duration? {
        guard case .onFailure(let from, let to, let maxRestarts) = self, count <= maxRestarts else { return nil }
        return min(to, from * (1 << min(max(0, count - 1), 30)))
    }
}
