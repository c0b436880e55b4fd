public import Sluice

/// Keeps what a node was asked and what it answered, for a test to look at.
///
/// ```swift
/// let double = RecordingNode(Doubler())
/// let eight = try await double.process(4)
/// print(double.inputs, double.outputs)  // [4] [8]
/// print(double.invocations.count)       // 1
/// ```
///
/// It has no state but its own, and any number of calls may run at once.
public final class RecordingNode<Input: Sendable, Output: Sendable>: Node, CustomStringConvertible {
    /// One call of the node.
    public struct Invocation: Sendable {
        /// What it was asked.
        public let input: Input
        /// What it answered or threw; `nil` while it runs.
        public fileprivate(set) var result: Result<Output, any Error>?
        /// Which of the calls it was that ended, from 0; `nil` while it runs.
        public fileprivate(set) var end: Int?
    }

    private let node: AnyNode<Input, Output>
    private let state = Locked((invocations: [Invocation](), ended: 0))

    /// Wraps a node.
    public init(_ node: some Node<Input, Output>) { self.node = AnyNode(node) }

    /// Wraps a closure, called once for each call, on the caller's executor.
    public init(_ body: @escaping @Sendable (Input) async throws -> Output) { node = AnyNode("RecordingNode", body) }

    /// The calls so far, in the order in which they began.
    public var invocations: [Invocation] { state.withLock { $0.invocations } }

    /// What was asked so far, in the order in which the calls began.
    public var inputs: [Input] { state.withLock { $0.invocations.map(\.input) } }

    /// What was answered so far, in the order in which the calls ended.
    public var outputs: [Output] {
        invocations.filter { $0.end != nil }.sorted { ($0.end ?? 0) < ($1.end ?? 0) }.compactMap {
            try? $0.result?.get()
        }
    }

    /// How many calls began.
    public var count: Int { state.withLock { $0.invocations.count } }

    /// Answers what the wrapped node answers; throws what it throws, cancelled with the calling task.
    nonisolated(nonsending) public func process(_ input: Input) async throws -> Output {
        let index = state.withLock { state in
            state.invocations.append(Invocation(input: input))
            return state.invocations.count - 1
        }
        do {
            let output = try await node.process(input)
            end(index, .success(output))
            return output
        } catch {
            end(index, .failure(error))
            throw error
        }
    }

    private func end(_ index: Int, _ result: Result<Output, any Error>) {
        state.withLock { state in
            state.invocations[index].result = result
            state.invocations[index].end = state.ended
            state.ended += 1
        }
    }

    /// `Doubler`: that of the wrapped node.
    public var description: String { node.description }
}
