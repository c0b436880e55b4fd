/// A type-erased node, or a node made from a closure.
///
/// ```swift
/// let length = AnyNode { (text: String) in text.count }
/// let five = try await length.process("hello")  // 5
/// let nodes: [AnyNode<String, Int>] = [length, AnyNode(length)]
/// ```
///
/// A call through it costs one closure call more than the node itself. Describing and releasing many nested type-erased
/// stages takes no more stack space than for one.
public struct AnyNode<Input: Sendable, Output: Sendable>: Node, CustomStringConvertible {
    @usableFromInline let body: @Sendable (Input) async throws -> Output
    // Declared after `body`, so that it is released last.
    @usableFromInline let remains: NodeRemains<Input, Output>

    /// Creates a node from a closure.
    ///
    /// - Parameters:
    ///   - name: The node's name in the description of a stack.
    ///   - body: Called once for each call, on the caller's executor, and canceled with the calling task. An error that
    ///     it throws is thrown to the caller.
    public init(_ name: String = "node", _ body: @escaping @Sendable (Input) async throws -> Output) {
        self.init(body: body, parts: name)
    }

    /// Erases the type of a node; its description is kept.
    @inlinable
    public init(_ node: some Node<Input, Output>) {
        // An erased node is not wrapped again. The types are compared first: a cast costs more.
        if type(of: node) == Self.self, let erased = node as? Self {
            self = erased
            return
        }
        self.init(body: { try await node.process($0) }, parts: node)
    }

    /// Creates a node.
    ///
    /// - Parameter parts: The stage, or the name, for the description.
    @usableFromInline
    init(body: @escaping @Sendable (Input) async throws -> Output, parts: any Sendable) {
        self.body = body
        remains = NodeRemains(body: body, parts: parts)
    }

    /// Returns the answer of the node or closure inside; throws its error, and is canceled with the calling task.
    @inlinable
    nonisolated(nonsending) public func process(_ input: Input) async throws -> Output {
        try await body(input)
    }

    /// The stages inside, outermost first.
    public var description: String { describe(self) }
}

extension AnyNode: StackDescribing {
    var stackParts: [any Sendable] { remains.stackParts }
}

/// The last owner of an erased node: it releases erased nodes within erased nodes one after the other.
@usableFromInline
final class NodeRemains<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    // `@unchecked Sendable`: both properties are Sendable and change in `deinit` only.
    private var body: (@Sendable (Input) async throws -> Output)?
    private var parts: (any Sendable)?

    init(body: @escaping @Sendable (Input) async throws -> Output, parts: any Sendable) {
        self.body = body
        self.parts = parts
    }

    var stackParts: [any Sendable] { [parts].compactMap { $0 } }

    deinit {
        if Depth.isDeep {
            Depth.release([body as Any, parts as Any])
        } else {
            Depth.descend(releasing: {
                body = nil
                parts = nil
            })
        }
    }
}
