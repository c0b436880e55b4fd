/// The decision that all tasks are idle except for waiting for the clock.
///
/// A thread that lost its processor looks like one that waits. The time that counts as quiet therefore grows with the
/// load: it is 20 ms, or eight times the longest time that this task itself waited for a turn, whichever is longer. A
/// wait of more than 25 ms counts as 25 ms, since other tasks had the threads then, and a hundred turns include a turn
/// for each of them.
struct Quiet {
    private static let fewestTurns = 100
    private static let shortest = Duration.milliseconds(20)
    private static let longest = Duration.milliseconds(25)

    private var turns = 0
    private var start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    private var longestGap = Duration.zero

    /// Begins at an instant.
    init(at now: ContinuousClock.Instant = .now) { (start, last) = (now, now) }

    /// Counts a turn, and returns whether it has been quiet for long enough.
    mutating func isReached(at now: ContinuousClock.Instant) -> Bool {
        turns += 1
        longestGap = max(longestGap, min(last.duration(to: now), Self.longest))
        last = now
        return turns >= Self.fewestTurns && start.duration(to: now) >= max(Self.shortest, longestGap * 8)
    }

    /// Restarts, keeping half of the longest gap, since load rarely ends suddenly.
    mutating func restart(at now: ContinuousClock.Instant) {
        longestGap = longestGap / 2
        (turns, start, last) = (0, now, now)
    }
}
