import HTTPTypes
import Sluice
public import SluiceFilters

extension RetryFilter where Request == TransportRequest, Response == TransportResponse {
    /// The statuses that say that another try may help.
    ///
    /// 500 is one of them: what may be sent twice at all may be sent twice then, and many servers answer 500 where
    /// 503 is meant. 501 and 505 say what will not change.
    public static var retryableStatuses: Set<Int> { HTTPClassifier.passingStatuses }

    /// Tries requests again as HTTP allows it: what failed in passing, and may be sent twice.
    ///
    /// ```swift
    /// let node = RetryFilter.http(attempts: 4, budget: RetryBudget()).andThen(StatusFilter()).andThen(HTTPTransport())
    /// ```
    ///
    /// Tried again is a request whose connection failed or whose time was over, and one answered with a status of
    /// `statuses`, be it an answer or, behind a ``StatusFilter``, an error. The body has to be one that can be sent again,
    /// and the method idempotent, unless the request bears an `Idempotency-Key` or is known not to have been processed. The
    /// filter sends the ``Sluice/CallContext/idempotencyKey`` of the call with each attempt. The wait that the answer asks
    /// for (`Retry-After`, seconds or a date) is kept, with the backoff on top.
    ///
    /// - Parameters:
    ///   - attempts: how many tries there are in all, the first included; below 1 counts as 1.
    ///   - statuses: those that are tried again.
    ///   - backoff: how long to wait before each further try.
    ///   - longestHint: a call whose answer asks for a longer wait is not tried again.
    ///   - budget: what the further tries are taken from; `nil` sets no limit.
    ///   - clock: measures the waits.
    ///   - wallClock: tells the date that a `Retry-After` is compared to.
    ///   - random: where jitter comes from.
    public static func http(
        attempts: Int = 3,
        statuses: Set<Int> = retryableStatuses,
        backoff: Backoff = .exponential(from: .milliseconds(100), to: .seconds(5)),
        longestHint: Duration = .seconds(60),
        budget: RetryBudget? = nil,
        clock: any Clock<Duration> = .continuous,
        wallClock: WallClock = .system,
        random: RandomSource = .system
    ) -> RetryFilter {
        let classifier = HTTPClassifier(passing: statuses, clock: wallClock)
        return RetryFilter(
            attempt: attempts,
            backoff: backoff,
            longestHint: longestHint,
            budget: budget,
            classify: { classifier.responseClass(of: $1) },
            clock: clock,
            random: random
        )
    }
}
