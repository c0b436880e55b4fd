#if HTTP
public import Sluice
import SluiceFilters

/// A sequence of two answers to one call: the stored answer at once, and then the answer of the network. Made by
/// ``Sluice/Node/cacheThenNetwork(_:)``.
public struct CacheThenNetwork<N: Node>: AsyncSequence, Sendable {
    /// The output of the node.
    public typealias Element = N.Output

    let node: N
    let input: N.Input

    /// An iterator that calls the node once for each answer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Phase {
            case cache, network, end
        }
        private let node: N
        private let input: N.Input
        private var phase = Phase.cache

        fileprivate init(_ node: N, _ input: N.Input) {
            self.node = node
            self.input = input
        }

        /// Returns the next answer, or `nil` after the answer of the network.
        ///
        /// - Throws: the error of the network. If the stored answer can't be read, the sequence begins with the answer
        ///   of the network.
        /// - Cancellation: cancels the running call; throws `CancellationError`.
        nonisolated(nonsending) public mutating func next() async throws -> N.Output? {
            if phase == .cache {
                phase = .network
                do {
                    return try await CachePolicy.$throwsMisses.withValue(true) {
                        try await CachePolicy.cacheOnly.apply { try await node.process(input) }
                    }
                } catch {
                    try Task.checkCancellation()
                    if !(error is CacheMiss) { CallContext.log(.debug, "no answer from the cache: \(error)") }
                }
            }
            guard phase == .network else { return nil }
            phase = .end
            return try await CachePolicy.reload.apply { try await node.process(input) }
        }
    }

    /// Returns an iterator, which starts the first call when the first answer is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(node, input) }
}

extension Node {
    /// Returns the stored answer, if there is one, and then the answer of the network.
    ///
    /// ```swift
    /// let users = CacheFilter(HTTPCache()).andThen(HTTPTransport())
    /// for try await response in users.cacheThenNetwork(request) { print(response.status) }
    /// ```
    ///
    /// The node contains a ``SluiceHTTP/CacheFilter``, inside any other stages such as models and codecs. The stored answer is
    /// returned fresh or stale, unless the server forbids it (`no-cache`, `must-revalidate`).
    ///
    /// - Returns: a sequence of one or two answers; it throws the error of the network.
    public func cacheThenNetwork(_ input: Input) -> CacheThenNetwork<Self> {
        CacheThenNetwork(node: self, input: input)
    }
}

/// The error for a call without a usable stored answer.
struct CacheMiss: ClassifiedError, CustomStringConvertible {
    var responseClass: ResponseClass { .failure }
    var description: String { "nothing is stored for the request" }
}
#endif
