public import Sluice

/// How a call ended and what its filters did: the answer of ``Sluice/Node/explain(_:clock:)``.
public struct Explained<Output: Sendable>: Sendable {
    /// The node's answer, or its error.
    public let result: Result<Output, any Error>
    /// What the filters did, when and why.
    public let trail: CallTrail

    /// The node's answer; throws its error.
    public var value: Output { get throws { try result.get() } }
}

extension Node {
    /// Calls the node and tells what each filter did, when and why.
    ///
    /// ```swift
    /// let failing = AnyNode<Int, Int> { $0 / 2 }
    /// let call = await RetryFilter(attempt: 2).andThen(failing).explain(8)
    /// print(call.trail)        // 0.000 s  try 1  RetryFilter  answered
    /// print(try call.value)    // 4
    /// ```
    ///
    /// - Parameter clock: measures the times of the trail; give the one that the filters have.
    /// - Returns: the answer or the error, and the trail. Calls that the filters gave up and that still run say no more.
    /// - Cancellation: cancels the node, whose `CancellationError` is the result then.
    /// - Executor: runs where the caller runs.
    nonisolated(nonsending) public func explain(
        _ input: Input,
        clock: any Clock<Duration> = .continuous
    ) async -> Explained<Output> {
        let recorder = CallRecorder(clock: clock)
        var context = CallContext.current
        context.recorder = recorder
        let result = await withCallContext(context) { await Result.of { try await process(input) } }
        return Explained(result: result, trail: recorder.trail)
    }
}
