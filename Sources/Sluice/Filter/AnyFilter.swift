/// A filter whose type is forgotten, or made from a closure.
///
/// ```swift
/// let shout = AnyFilter<String, String, String, String>("shout") { name, next in
///     try await next.process(name).uppercased()
/// }
/// let text = try await shout.andThen(AnyNode { "Hello, " + $0 }).process("Ada")  // "HELLO, ADA"
/// ```
public struct AnyFilter<
    RequestIn: Sendable,
    ResponseOut: Sendable,
    RequestOut: Sendable,
    ResponseIn: Sendable
>: Filter, CustomStringConvertible {
    let body: @Sendable (RequestIn, AnyNode<RequestOut, ResponseIn>) async throws -> ResponseOut
    let stages: @Sendable () -> [String]

    /// Makes a filter from a closure.
    ///
    /// - Parameters:
    ///   - name: what the filter is called in the description of a stack.
    ///   - body: called once for each call, on the caller's executor, with the request and the next stage. What it
    ///     throws is thrown to the caller; it is cancelled with the calling task.
    public init(
        _ name: String = "filter",
        _ body: @escaping @Sendable (RequestIn, AnyNode<RequestOut, ResponseIn>) async throws -> ResponseOut
    ) {
        self.body = body
        stages = { [name] }
    }

    /// Forgets the type of a filter; its description stays.
    public init(_ filter: some Filter<RequestIn, ResponseOut, RequestOut, ResponseIn>) {
        body = { try await filter.process($0, next: $1) }
        stages = { Sluice.stages(of: filter) }
    }

    /// Lets the filter or closure inside answer; throws what that throws, cancelled with the calling task.
    nonisolated(nonsending) public func process(
        _ request: RequestIn,
        next: some Node<RequestOut, ResponseIn>
    ) async throws -> ResponseOut {
        try await body(request, AnyNode(next))
    }

    /// The stages inside, outermost first.
    public var description: String { describe(stages()) }
}

extension AnyFilter: StackDescribing {
    var stackStages: [String] { stages() }
}
