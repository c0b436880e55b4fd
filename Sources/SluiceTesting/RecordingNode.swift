public import Sluice

/// A node that records the inputs and outputs of another node, for tests.
///
/// ```swift
/// let double = RecordingNode(Doubler())
/// let eight = try await double.process(4)
/// print(double.inputs, double.outputs)  // [4] [8]
/// print(double.invocations.count)       // 1
/// ```
///
/// It has no state but the record, and any number of calls may run at the same time.
public final class RecordingNode<Input: Sendable, Output: Sendable>: Node, CustomStringConvertible {
    /// One call of the node.
    public struct Invocation: Sendable {
        /// The input of the call.
        public let input: Input
        /// The output or error of the call; `nil` while it runs.
        public fileprivate(set) var result: Result<Output, any Error>?
        /// The position of the call in the order in which calls ended, from 0; `nil` while it runs.
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

    /// The inputs so far, in the order in which the calls began.
    public var inputs: [Input] { state.withLock { $0.invocations.map(\.input) } }

    /// The outputs so far, in the order in which the calls ended.
    public var outputs: [Output] {
        invocations.filter { $0.end != nil }.sorted { ($0.end ?? 0) < ($1.end ?? 0) }.compactMap {
            try? $0.result?.get()
        }
    }

    /// The number of calls that began.
    public var count: Int { state.withLock { $0.invocations.count } }

    /// Returns the output of the wrapped node; throws its error; canceled with the calling task.
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

    /// The description of the wrapped node, such as `Doubler`.
    public var description: String { node.description }
}
