#if HTTP
import HTTPTypes
public import Sluice
public import SluiceFilters

extension RetryFilter where Request == TransportRequest, Response == TransportResponse {
    /// The statuses after which another attempt may succeed.
    ///
    /// 500 is one of them, since only requests that are safe to repeat are retried, and many servers answer 500 when
    /// they mean 503. 501 and 505 are not, since they are permanent.
    public static var retryableStatuses: Set<Int> { HTTPClassifier.passingStatuses }

    /// Retries requests as HTTP allows it: transient failures of requests that may be sent twice.
    ///
    /// ```swift
    /// let node = RetryFilter.http(maxAttempts: 4, budget: RetryBudget()).andThen(StatusFilter()).andThen(HTTPTransport())
    /// ```
    ///
    /// A request is retried if its connection failed, if it timed out, or if its answer has one of `statuses`, as an
    /// answer or, with an inner ``SluiceHTTP/StatusFilter``, as an error. Its body must be one that can be sent again, and its
    /// method idempotent, unless it has an `Idempotency-Key` or is known not to have been processed. The filter sends
    /// the ``Sluice/CallContext/idempotencyKey`` of the call with each attempt. The wait that the answer asks for
    /// (`Retry-After`, seconds or a date) is respected, and the backoff is added to it.
    ///
    /// - Parameters:
    ///   - maxAttempts: the total number of attempts, including the first; below 1 counts as 1.
    ///   - statuses: the statuses that are retried.
    ///   - backoff: the wait before each further attempt.
    ///   - longestHint: the longest wait that an answer may ask for; with a longer one, the call is not retried.
    ///   - budget: the budget for further attempts; `nil` sets no limit.
    ///   - clock: the clock that measures the waits.
    ///   - wallClock: the clock with which the date of a `Retry-After` is compared.
    ///   - random: the source of the jitter.
    public static func http(
        maxAttempts: Int = 3,
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
            maxAttempts: maxAttempts,
            backoff: backoff,
            longestHint: longestHint,
            budget: budget,
            classify: { classifier.responseClass(of: $1) },
            clock: clock,
            random: random
        )
    }
}

extension Filter where Self == RetryFilter<TransportRequest, TransportResponse> {
    /// Returns a filter that retries requests as HTTP allows it, for the stage `retry`; see
    /// ``SluiceFilters/RetryFilter/http(maxAttempts:statuses:backoff:longestHint:budget:clock:wallClock:random:)``.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.retry, .http(maxAttempts: 3, budget: RetryBudget()))
    /// ```
    ///
    /// - Parameters:
    ///   - maxAttempts: the total number of attempts, including the first; below 1 counts as 1.
    ///   - backoff: the wait before each further attempt.
    ///   - budget: the budget for further attempts; `nil` sets no limit.
    public static func http(
        maxAttempts: Int = 3,
        backoff: Backoff = .exponential(from: .milliseconds(100), to: .seconds(5)),
        budget: RetryBudget? = nil
    ) -> Self {
        RetryFilter.http(
            maxAttempts: maxAttempts,
            statuses: RetryFilter.retryableStatuses,
            backoff: backoff,
            budget: budget
        )
    }
}
#endif
