/// The treatment of a run that can't keep up: what is due comes faster than it can be done.
///
/// ```json
/// {"behind": "skip", "source": {"interval": {"seconds": 0.1}}, "operators": [{"map": {"expression": "x * x"}}]}
/// ```
public enum BehindPolicy: String, Sendable, Hashable, CaseIterable {
    /// The time of the run falls back behind the clock; nothing is lost.
    case slow
    /// The overdue ticks of `interval` and items of `poll` are left out, but for the newest of each source, and counted.
    case skip
    /// The run fails.
    case fail
}
