/// The order in which calls that wait in a ``ConcurrencyFilter`` begin.
///
/// ```swift
/// let filter = ConcurrencyFilter<String, Int>(10, queue: 400, order: .newestFirst())
/// ```
public enum WaitingOrder: Sendable, Hashable {
    /// The one that has waited longest: fair, but in overload every call waits as long as it can, and each answer comes late.
    case oldestFirst
    /// The newest, once calls have waited without a break for `busy`, and else the oldest: in overload, some calls are
    /// answered at once, and the others not at all.
    ///
    /// This is the condition of CoDel (Nichols and Jacobson, 2012) as Facebook uses it for requests (Maurer, "Fail at
    /// Scale", 2015). When the queue is full, the oldest of the least important calls makes room.
    case newestFirst(whenBusyFor: Duration = .milliseconds(100))
}
