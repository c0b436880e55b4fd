#if HTTP
/// The action to take for a request, given the stored entries (RFC 9111, 4).
enum CacheDecision: Equatable {
    /// Answer with the stored entry.
    case serve(Freshness)
    /// Answer with the stored entry, and revalidate it in the background (RFC 5861, 3).
    case serveAndRevalidate(Freshness)
    /// Ask the server whether the stored entry is still valid; the reason is a term of RFC 9211.
    case validate(String)
    /// Ask the network.
    case fetch(String)
    /// Answer with 504, since no answer is available.
    case fail

    init(
        _ request: CacheControl,
        _ stored: (entry: CacheEntry, freshness: Freshness)?,
        isVaryMiss: Bool = false,
        policy: CachePolicy
    ) {
        let staysHome = request.onlyIfCached || policy == .cacheOnly
        guard let (entry, freshness) = stored else {
            self = staysHome ? .fail : .fetch(isVaryMiss ? "vary-miss" : "uri-miss")
            return
        }
        if policy == .reload {
            self = .validate("request")
            return
        }
        let response = CacheControl(entry.headers)
        let mayBeStale = !response.mustRevalidate && !response.noCache
        if policy == .cacheOnly {
            self = freshness.isFresh && !response.noCache || mayBeStale ? .serve(freshness) : .fail
            return
        }
        let forward: CacheDecision = staysHome ? .fail : .validate(freshness.isFresh ? "request" : "stale")
        if request.noCache || response.noCache {
            self = forward
        } else if freshness.isFresh {
            // RFC 8246, 2: a reload does not revalidate an immutable answer.
            let limit = request.maxAge.map(Double.init) ?? .infinity
            let isYoung = freshness.age <= limit || response.isImmutable
            let isLasting = -freshness.staleness >= Double(request.minFresh ?? 0)
            self = isYoung && isLasting ? .serve(freshness) : forward
        } else if mayBeStale, let maxStale = request.maxStale,
            maxStale == .max || freshness.staleness <= Double(maxStale),
            freshness.age <= request.maxAge.map(Double.init) ?? .infinity
        {
            self = .serve(freshness)
        } else if mayBeStale, !staysHome, request.maxAge == nil, request.minFresh == nil,
            freshness.staleness <= Double(response.staleWhileRevalidate ?? -1)
        {
            self = .serveAndRevalidate(freshness)
        } else {
            self = forward
        }
    }

    /// Returns whether the stored entry may be the answer when the network fails (RFC 5861, 4).
    static func mayServe(
        _ entry: CacheEntry,
        _ freshness: Freshness,
        to request: CacheControl,
        isUnreachable: Bool,
        policy: CachePolicy
    ) -> Bool {
        let response = CacheControl(entry.headers)
        guard policy != .reload, !response.mustRevalidate, !response.noCache, !request.noCache else { return false }
        if isUnreachable, policy == .cacheIfUnreachable { return true }
        guard let window = request.staleIfError ?? response.staleIfError else { return false }
        return freshness.staleness <= Double(window)
    }
}
#endif
