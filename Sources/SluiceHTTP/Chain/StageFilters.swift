#if HTTP
public import Sluice
public import SluiceFilters

// Filters of stages with a leading dot, so that completion shows them: `.set(.retry, .http(maxAttempts: 3))`.

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

extension Filter where Self == CacheFilter {
    /// Returns a filter that answers from a cache, for the stage `cache`; see `CacheFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.cache, .cache(HTTPCache()))
    /// ```
    public static func cache(_ cache: HTTPCache, policy: CachePolicy = .standard) -> Self {
        CacheFilter(cache, policy: policy)
    }
}

extension Filter where Self == CoalescingFilter {
    /// A filter that sends equal concurrent requests once, for the stage `deduplication`; see `CoalescingFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.deduplication, .coalescing)
    /// ```
    public static var coalescing: Self { CoalescingFilter() }
}

extension Filter where Self == CookieFilter {
    /// Returns a filter that keeps the cookies of answers in a jar and sends them, for the stage `cookies`; see
    /// `CookieFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.cookies, .cookies(CookieJar()))
    /// ```
    public static func cookies(_ jar: CookieJar) -> Self { CookieFilter(jar) }
}

extension Filter where Self == BasicAuthFilter {
    /// Returns a filter that adds the credentials of a user, for the stage `token`; see `BasicAuthFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.token, .basic(user: "ada", password: "secret"))
    /// ```
    public static func basic(user: String, password: String) -> Self {
        BasicAuthFilter(user: user, password: password)
    }
}

extension Filter where Self == HTTPMetricsFilter {
    /// A filter that measures requests on the wire, for the stage `metrics`; see `HTTPMetricsFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.metrics, .metrics)
    /// ```
    public static var metrics: Self { HTTPMetricsFilter() }
}

extension Filter where Self == HTTPTracingFilter {
    /// A filter that makes a span for each attempt, for the stage `tracing`; see `HTTPTracingFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.tracing, .tracing)
    /// ```
    public static var tracing: Self { HTTPTracingFilter() }
}
#endif
