/// A node with a filter around it. Made by ``Filter/andThen(_:)-(N)``.
public struct Filtered<F: Filter, N: Node>: Node, CustomStringConvertible
where F.RequestOut == N.Input, F.ResponseIn == N.Output {
    /// The filter, called first.
    public let filter: F
    /// The node that the filter calls.
    public let node: N

    @inlinable
    init(_ filter: F, _ node: N) {
        self.filter = filter
        self.node = node
    }

    /// Returns the filter's response to `input`, with the node as the filter's next stage; throws the filter's error.
    ///
    /// - Cancellation: Canceling the calling task cancels the filter and the node.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) public func process(_ input: F.RequestIn) async throws -> F.ResponseOut {
        try await filter.process(input, next: node)
    }

    /// The stages, outermost first: `AuthFilter → RetryFilter(maxAttempts: 3) → Users`.
    public var description: String { describe(self) }
}

extension Filtered: StackDescribing {
    var stackParts: [any Sendable] { [filter, node] }
}

extension Filter {
    /// Puts this filter around a node.
    ///
    /// ```swift
    /// let echo = AnyFilter<Int, Int, Int, Int>("echo") { try await $1.process($0) }
    /// let node = echo.andThen(AnyNode("double") { $0 * 2 })
    /// print(node)  // echo → double
    /// ```
    ///
    /// - Returns: A generic struct, which the compiler can optimize as a whole.
    @inlinable
    public func andThen<N: Node>(_ node: N) -> Filtered<Self, N>
    where N.Input == RequestOut, N.Output == ResponseIn {
        Filtered(self, node)
    }
}
