/// A node whose type is forgotten, or made from a closure.
///
/// ```swift
/// let length = AnyNode { (text: String) in text.count }
/// let five = try await length.process("hello")  // 5
/// let nodes: [AnyNode<String, Int>] = [length, AnyNode(length)]
/// ```
///
/// One call through it costs one closure call more than the node itself.
public struct AnyNode<Input: Sendable, Output: Sendable>: Node, CustomStringConvertible {
    @usableFromInline let body: @Sendable (Input) async throws -> Output
    @usableFromInline let stages: @Sendable () -> [String]

    /// Makes a node from a closure.
    ///
    /// - Parameters:
    ///   - name: what the node is called in the description of a stack.
    ///   - body: called once for each call, on the caller's executor. What it throws is thrown to the caller, and
    ///     it is cancelled with the calling task.
    public init(_ name: String = "node", _ body: @escaping @Sendable (Input) async throws -> Output) {
        self.body = body
        stages = { [name] }
    }

    /// Forgets the type of a node; its description stays.
    @inlinable
    public init(_ node: some Node<Input, Output>) {
        // One that has no type any more is not wrapped again. The types are compared first: a cast costs more.
        if type(of: node) == Self.self, let erased = node as? Self {
            self = erased
            return
        }
        self.init(body: { try await node.process($0) }, stages: { Sluice.stages(of: node) })
    }

    @usableFromInline
    init(
        body: @escaping @Sendable (Input) async throws -> Output,
        stages: @escaping @Sendable () -> [String]
    ) {
        self.body = body
        self.stages = stages
    }

    /// Answers `input` with the node or closure inside; throws what that throws, cancelled with the calling task.
    @inlinable
    nonisolated(nonsending) public func process(_ input: Input) async throws -> Output {
        try await body(input)
    }

    /// The stages inside, outermost first.
    public var description: String { describe(stages()) }
}

extension AnyNode: StackDescribing {
    var stackStages: [String] { stages() }
}
