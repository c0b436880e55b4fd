/// Two nodes in a row: the second takes the output of the first.
///
/// Made by ``Node/andThen(_:)``.
public struct Chained<First: Node, Second: Node>: Node, CustomStringConvertible
where First.Output == Second.Input {
    /// The node that is called first.
    public let first: First
    /// The node that takes the first node's output.
    public let second: Second

    @inlinable
    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Calls `first`, then `second` with its output; throws the error of `first` without calling `second`.
    ///
    /// - Cancellation: Canceling the calling task cancels the node that is running.
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
    /// Passes this node's output to another node.
    ///
    /// ```swift
    /// let length = AnyNode { (text: String) in text.count }
    /// let isLong = length.andThen(AnyNode { $0 > 3 })
    /// let answer = try await isLong.process("hello")  // true
    /// ```
    ///
    /// - Returns: A generic struct, which the compiler can optimize as a whole.
    @inlinable
    public func andThen<Next: Node>(_ next: Next) -> Chained<Self, Next> where Next.Input == Output {
        Chained(self, next)
    }
}
