/// Two nodes in a row: the second takes what the first answers.
///
/// Made by ``Node/andThen(_:)``.
public struct Chained<First: Node, Second: Node>: Node, CustomStringConvertible
where First.Output == Second.Input {
    /// The node that is called first.
    public let first: First
    /// The node that takes the first one's answer.
    public let second: Second

    @inlinable
    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Calls `first`, then `second` with its answer; throws the first error, and then `second` is not called.
    ///
    /// - Cancellation: cancelling the calling task cancels the one that runs.
    @inlinable
    nonisolated(nonsending) public func process(_ input: First.Input) async throws -> Second.Output {
        try await second.process(first.process(input))
    }

    /// The stages in the order in which they run.
    public var description: String { describe(self) }
}

extension Chained: StackDescribing {
    var stackParts: [any Sendable] { [first, second] }
}

extension Node {
    /// Gives this node's answers to another node.
    ///
    /// ```swift
    /// let length = AnyNode { (text: String) in text.count }
    /// let isLong = length.andThen(AnyNode { $0 > 3 })
    /// let answer = try await isLong.process("hello")  // true
    /// ```
    ///
    /// - Returns: a generic struct; the compiler sees through it.
    @inlinable
    public func andThen<Next: Node>(_ next: Next) -> Chained<Self, Next> where Next.Input == Output {
        Chained(self, next)
    }
}
