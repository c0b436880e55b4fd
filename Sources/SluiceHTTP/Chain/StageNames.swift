#if HTTP
extension StageName {
    /// The stages with a position of their own, outermost first in each scope. `bin/generate` adds new ones at the end.
    static let declared: [StageName] = [
        fallback, timeout, log, callTracing, callMetrics, status, redirects, refresh, headers, cookies, token, identity,
        cache, deduplication, retry, hedge, attemptHeaders, signature, deadline, tracing, metrics, attempt, limits,
        breaker, balancing, body, transport,
    ]
}
#endif
