public import Sluice

/// The result of a call and the actions of its filters: the result of ``Sluice/Node/explain(_:clock:)``.
public struct Explained<Output: Sendable>: Sendable {
    /// The node's response, or its error.
    public let result: Result<Output, any Error>
    /// The actions of the filters, with their times and reasons.
    public let trail: CallTrail

    /// The node's response; throws its error.
    public var value: Output { get throws { try result.get() } }
}

extension Node {
    /// Calls the node and returns the actions of its filters, with their times and reasons.
    ///
    /// ```swift
    /// let failing = AnyNode<Int, Int> { $0 / 2 }
    /// let call = await RetryFilter(maxAttempts: 2).andThen(failing).explain(8)
    /// print(call.trail)        // 0.000 s  try 1  RetryFilter  answered
    /// print(try call.value)    // 4
    /// ```
    ///
    /// - Parameters:
    ///   - input: The input of the call.
    ///   - clock: The clock that measures the times of the trail; use the clock of the filters.
    /// - Returns: The response or the error, and the trail. It does not include calls that the filters gave up and that
    ///   are still running.
    /// - Cancellation: Cancels the node; the result is its `CancellationError`.
    /// - Executor: Runs where the caller runs.
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
