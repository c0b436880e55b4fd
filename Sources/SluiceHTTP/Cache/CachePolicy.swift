#if HTTP
/// The rule for when a ``CacheFilter`` uses the network.
///
/// ```swift
/// let node = CacheFilter(HTTPCache()).andThen(HTTPTransport())
/// let stored = try await CachePolicy.cacheOnly.apply { try await node.process(request) }
/// ```
public enum CachePolicy: Sendable, Hashable, CaseIterable {
    /// The rules of HTTP: fresh answers come from the cache, and stale ones are revalidated.
    case standard
    /// Only the cache, fresh or stale, and never the network: a 504 if nothing is stored.
    case cacheOnly
    /// Always the network, whose answers are stored; a stored answer is used only if the server confirms it.
    case reload
    /// The rules of HTTP, but with a stored answer when the connection fails.
    case cacheIfUnreachable

    @TaskLocal static var applied: CachePolicy?

    /// A Boolean value that indicates whether a miss is thrown as an error, for callers that would otherwise treat a
    /// 504 as an answer.
    @TaskLocal static var throwsMisses = false

    /// Runs `body` with this policy for all cache filters, whatever their own policy is.
    ///
    /// - Returns: the result of `body`, whose error it throws. `body` is called once, on the caller's executor, and is
    ///   canceled with the calling task.
    nonisolated(nonsending) public func apply<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$applied.withValue(self, operation: body)
    }
}
#endif
