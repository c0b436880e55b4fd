/// When a ``CacheFilter`` asks the network, and when it does not.
///
/// ```swift
/// let node = CacheFilter(HTTPCache()).andThen(HTTPTransport())
/// let stored = try await CachePolicy.cacheOnly.apply { try await node.process(request) }
/// ```
public enum CachePolicy: Sendable, Hashable, CaseIterable {
    /// As HTTP says: what is fresh comes from the cache, what is stale is revalidated.
    case standard
    /// From the cache, fresh or stale, and never from the network: 504 where nothing is stored.
    case cacheOnly
    /// From the network, and stored.
    case reload
    /// As ``standard``, but what is stored is the answer when the connection fails.
    case cacheIfUnreachable

    @TaskLocal static var applied: CachePolicy?

    /// Whether a miss is to be thrown, for those who would take a 504 for an answer.
    @TaskLocal static var throwsMisses = false

    /// Runs `body` with this policy for all cache filters, whatever they were made with.
    ///
    /// - Returns: what `body` returns; throws what it throws. It is called once, on the caller's executor, and is
    ///   cancelled with the calling task.
    nonisolated(nonsending) public func apply<Result>(
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$applied.withValue(self, operation: body)
    }
}
