/// A wait with a limit that a loaded machine does not reach early.
///
/// Its time is not the time of a clock: a turn counts as at most a millisecond, however long this task waited for it.
/// So the wait gets longer as other tasks and programs take the processors.
struct Wait {
    private static let fewestTurns = 10_000
    private static let longestTurn = Duration.milliseconds(1)

    private let patience: Duration
    private var turns = 0
    private var spent = Duration.zero
    private var last: ContinuousClock.Instant

    /// Begins at an instant.
    init(_ patience: Duration, at now: ContinuousClock.Instant = .now) { (self.patience, last) = (patience, now) }

    /// Counts a turn, and returns whether the wait has ended.
    mutating func isOver(at now: ContinuousClock.Instant) -> Bool {
        turns += 1
        spent += min(last.duration(to: now), Self.longestTurn)
        last = now
        return turns > Self.fewestTurns && spent >= patience
    }
}
