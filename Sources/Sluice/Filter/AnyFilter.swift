/// A type-erased filter, or a filter made from a closure.
///
/// ```swift
/// let shout = AnyFilter<String, String, String, String>("shout") { name, next in
///     try await next.process(name).uppercased()
/// }
/// let text = try await shout.andThen(AnyNode { "Hello, " + $0 }).process("Ada")  // "HELLO, ADA"
/// ```
///
/// The closure receives the next stage as an ``AnyNode``, which is created at each call unless the stage is one
/// already. Put a filter that has to be fast around an ``AnyNode``.
public struct AnyFilter<
    RequestIn: Sendable,
    ResponseOut: Sendable,
    RequestOut: Sendable,
    ResponseIn: Sendable
>: Filter, CustomStringConvertible {
    private enum Kind: Sendable {
        /// Puts the filter around a node; the closure is created where the filter's type is known.
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
    // Declared after `kind`, so that it is released last.
    private let remains: FilterRemains

    /// Creates a filter from a closure.
    ///
    /// - Parameters:
    ///   - name: The filter's name in the description of a stack.
    ///   - body: Called once for each call, on the caller's executor, with the request and the next stage, and canceled
    ///     with the calling task. An error that it throws is thrown to the caller.
    public init(
        _ name: String = "filter",
        _ body: @escaping @Sendable (RequestIn, AnyNode<RequestOut, ResponseIn>) async throws -> ResponseOut
    ) {
        self.init(.closure(name: name, body))
    }

    private init(_ kind: Kind) {
        self.kind = kind
        remains = FilterRemains(kind)
    }

    /// Erases the type of a filter; its description is kept.
    @inlinable
    public init(_ filter: some Filter<RequestIn, ResponseOut, RequestOut, ResponseIn>) {
        self.init(filter, around: { AnyNode(filter.andThen($0)) })
    }

    @usableFromInline
    init(
        _ filter: any Filter<RequestIn, ResponseOut, RequestOut, ResponseIn>,
        around: @escaping @Sendable (AnyNode<RequestOut, ResponseIn>) -> AnyNode<RequestIn, ResponseOut>
    ) {
        // An erased filter is not wrapped again.
        self = (filter as? AnyFilter) ?? AnyFilter(.filter(filter, around: around))
    }

    /// Returns the answer of the filter or closure inside; throws its error, and is canceled with the calling task.
    nonisolated(nonsending) public func process(
        _ request: RequestIn,
        next: some Node<RequestOut, ResponseIn>
    ) async throws -> ResponseOut {
        switch kind {
        case .filter(let filter, _): try await filter.process(request, next: next)
        case .closure(_, let body): try await body(request, AnyNode(next))
        }
    }

    /// Puts this filter around a type-erased node. The combined stage is created here, once, and not at each call.
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
            AnyNode(body: { try await body($0, node) }, parts: Named(name: name, node: node))
        }
    }

    /// The stages inside, outermost first.
    public var description: String { describe(self) }
}

extension AnyFilter: StackDescribing {
    var stackParts: [any Sendable] {
        switch kind {
        case .filter(let filter, _): [filter]
        case .closure(let name, _): [name]
        }
    }
}

/// The name of a filter around a node.
private struct Named<Node: Sendable>: StackDescribing, Sendable {
    let name: String
    let node: Node
    var stackParts: [any Sendable] { [name, node] }
}

/// The last owner of an erased filter: it releases erased filters within erased filters one after the other.
private final class FilterRemains: @unchecked Sendable {
    // `@unchecked Sendable`: the property is Sendable and changes in `deinit` only.
    private var kind: (any Sendable)?

    init(_ kind: any Sendable) { self.kind = kind }

    deinit {
        if Depth.isDeep { Depth.release([kind as Any]) } else { Depth.descend(releasing: { kind = nil }) }
    }
}
