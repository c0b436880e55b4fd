/// The treatment of a run that has failed.
///
/// ```swift
/// let policy = RestartPolicy.onFailure(from: .seconds(1), to: .seconds(60))
/// ```
public enum RestartPolicy: Sendable, Equatable {
    /// It stays failed until somebody resumes or starts it.
    case never
    /// It resumes from its last checkpoint, after a wait that doubles from `from` to `to` with each failure in a row; a
    /// run that has gone well for longer than `to` begins the count again.
    case onFailure(from: Duration, to: Duration)

    /// Returns the wait after the `count`-th failure in a row, from 1; `nil` where the run is not restarted.
    package func wait(after count: Int) -> Duration? {
        guard case .onFailure(let from, let to) = self else { return nil }
        return min(to, from * (1 << min(max(0, count - 1), 30)))
    }
}
