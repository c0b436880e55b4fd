public import Sluice
import SluiceFilters

/// Two answers to one call: what is stored, at once, and then what the network says. Made by
/// ``Sluice/Node/cacheThenNetwork(_:)``.
public struct CacheThenNetwork<N: Node>: AsyncSequence, Sendable {
    /// What the node answers.
    public typealias Element = N.Output

    let node: N
    let input: N.Input

    /// Calls the node, once for each answer.
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

        /// The next answer, `nil` after that of the network.
        ///
        /// - Throws: the error of the network. An error on the way to the cache's answer is no more than that there is
        ///   none.
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

    /// Begins the first call when the first answer is asked for.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(node, input) }
}

extension Node {
    /// First what is stored, if anything is, then what the network says.
    ///
    /// ```swift
    /// let users = CacheFilter(HTTPCache()).andThen(HTTPTransport())
    /// for try await response in users.cacheThenNetwork(request) { print(response.status) }
    /// ```
    ///
    /// For a node with a ``CacheFilter`` in it, whatever stands around that: models, codecs. What is stored is given be
    /// it fresh or stale, unless the server forbids it (`no-cache`, `must-revalidate`).
    ///
    /// - Returns: a sequence of one or two answers; it throws the error of the network.
    public func cacheThenNetwork(_ input: Input) -> CacheThenNetwork<Self> {
        CacheThenNetwork(node: self, input: input)
    }
}

/// Nothing is stored that could be the answer.
struct CacheMiss: ClassifiedError, CustomStringConvertible {
    var responseClass: ResponseClass { .failure }
    var description: String { "nothing is stored for the request" }
}
