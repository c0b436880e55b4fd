/// A filter whose type is forgotten, or made from a closure.
///
/// ```swift
/// let shout = AnyFilter<String, String, String, String>("shout") { name, next in
///     try await next.process(name).uppercased()
/// }
/// let text = try await shout.andThen(AnyNode { "Hello, " + $0 }).process("Ada")  // "HELLO, ADA"
/// ```
///
/// For a closure the next stage is made an ``AnyNode`` at each call, unless it is one: what is to be fast is put around an
/// ``AnyNode``.
public struct AnyFilter<
    RequestIn: Sendable,
    ResponseOut: Sendable,
    RequestOut: Sendable,
    ResponseIn: Sendable
>: Filter, CustomStringConvertible {
    private enum Kind: Sendable {
        /// `around` puts it around a node; made where the filter's type is known.
        case filter(
            any Filter<RequestIn, ResponseOut, RequestOut, ResponseIn>,
            around: @Sendable (AnyNode<RequestOut, ResponseIn>) -> AnyNode<RequestIn, ResponseOut>
        )
        case closure(
            name: String,
            @Sendable (RequestIn, AnyNode<RequestOut, ResponseIn>) async throws -> ResponseOut
        )
    }

    private let kind: Kind

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
        kind = .closure(name: name, body)
    }

    /// Forgets the type of a filter; its description stays.
    @inlinable
    public init(_ filter: some Filter<RequestIn, ResponseOut, RequestOut, ResponseIn>) {
        self.init(filter, around: { AnyNode(filter.andThen($0)) })
    }

    @usableFromInline
    init(
        _ filter: any Filter<RequestIn, ResponseOut, RequestOut, ResponseIn>,
        around: @escaping @Sendable (AnyNode<RequestOut, ResponseIn>) -> AnyNode<RequestIn, ResponseOut>
    ) {
        // One that has no type any more is not wrapped again.
        kind = (filter as? AnyFilter)?.kind ?? .filter(filter, around: around)
    }

    /// Lets the filter or closure inside answer; throws what that throws, cancelled with the calling task.
    nonisolated(nonsending) public func process(
        _ request: RequestIn,
        next: some Node<RequestOut, ResponseIn>
    ) async throws -> ResponseOut {
        switch kind {
        case .filter(let filter, _): try await filter.process(request, next: next)
        case .closure(_, let body): try await body(request, AnyNode(next))
        }
    }

    /// Puts this filter around a node that has no type any more either: what is made of the two is made here, once, and
    /// not at each call.
    ///
    /// ```swift
    /// let echo = AnyFilter<Int, Int, Int, Int>("echo") { try await $1.process($0) }
    /// let node = [echo, echo].reduce(AnyNode("double") { $0 * 2 }) { node, filter in filter.andThen(node) }
    /// print(node)  // echo → echo → double
    /// ```
    public func andThen(_ node: AnyNode<RequestOut, ResponseIn>) -> AnyNode<RequestIn, ResponseOut> {
        switch kind {
        case .filter(_, let around): around(node)
        case .closure(let name, let body):
            AnyNode(body: { try await body($0, node) }, stages: { [name] + stages(of: node) })
        }
    }

    /// The stages inside, outermost first.
    public var description: String { describe(stackStages) }
}

extension AnyFilter: StackDescribing {
    var stackStages: [String] {
        switch kind {
        case .filter(let filter, _): stages(of: filter)
        case .closure(let name, _): [name]
        }
    }
}
