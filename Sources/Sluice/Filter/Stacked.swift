/// Two filters as one: `outer` is called first. Made by ``Filter/andThen(_:)-(B)``.
public struct Stacked<A: Filter, B: Filter>: Filter, CustomStringConvertible
where A.RequestOut == B.RequestIn, A.ResponseIn == B.ResponseOut {
    /// The type of request that `outer` takes.
    public typealias RequestIn = A.RequestIn
    /// The type of response that `outer` returns.
    public typealias ResponseOut = A.ResponseOut
    /// The type of request that `inner` sends to the next stage.
    public typealias RequestOut = B.RequestOut
    /// The type of response that `inner` receives from the next stage.
    public typealias ResponseIn = B.ResponseIn

    /// The filter that is called first.
    public let outer: A
    /// The filter that `outer` calls.
    public let inner: B

    @inlinable
    init(_ outer: A, _ inner: B) {
        self.outer = outer
        self.inner = inner
    }

    /// Returns the response of `outer`, with `inner` around `next` as its next stage; throws the error of `outer`.
    ///
    /// - Cancellation: Canceling the calling task cancels both filters.
    @inlinable
    @inline(__always)
    nonisolated(nonsending) public func process(
        _ request: A.RequestIn,
        next: some Node<B.RequestOut, B.ResponseIn>
    ) async throws -> A.ResponseOut {
        try await outer.process(request, next: Filtered(inner, next))
    }

    /// The stages, outermost first.
    public var description: String { describe(self) }
}

extension Stacked: StackDescribing {
    var stackParts: [any Sendable] { [outer, inner] }
}

extension Filter {
    /// Puts this filter around another filter. The operation is associative: `(a.b).c` does what `a.(b.c)` does.
    ///
    /// ```swift
    /// let echo = AnyFilter<Int, Int, Int, Int>("echo") { try await $1.process($0) }
    /// print(echo.andThen(echo))  // echo → echo
    /// ```
    @inlinable
    public func andThen<B: Filter>(_ filter: B) -> Stacked<Self, B>
    where B.RequestIn == RequestOut, B.ResponseOut == ResponseIn {
        Stacked(self, filter)
    }
}
