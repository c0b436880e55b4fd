#if HTTP
public import Sluice

/// NodeKit 5's name for the result of a call.
public typealias NodeResult<Value> = Result<Value, any Error>

/// The log of a call, as the nodes of NodeKit 5 receive it.
///
/// Its messages go to the log hook of the call: see ``Sluice/CallContext``.
public struct LoggingContext: Sendable {
    /// Creates the log of the current call.
    public init() {}

    /// Adds a message, which is made only if there is a hook.
    public func add(_ message: @autoclosure () -> String) { CallContext.log(.debug, message()) }
}

/// A node as NodeKit 5 defines it: `process` returns a result, and does not throw.
///
/// ```swift
/// struct Length: AsyncNode<String, Int> {
///     func process(_ data: String, logContext: LoggingContext) async -> NodeResult<Int> {
///         .success(data.count)
///     }
/// }
/// let result: NodeResult<Int> = await Length().process("four")  // success(4)
/// let length: Int = try await Length().process("four")          // 4
/// ```
///
/// The type that a call is to have decides: a result, or a value with `try`.
public protocol AsyncNode<Input, Output>: Node {
    /// Processes `data`.
    func process(_ data: Input, logContext: LoggingContext) async -> NodeResult<Output>
}

extension AsyncNode {
    /// Processes `input`.
    ///
    /// - Throws: The error of the result.
    nonisolated(nonsending) public func process(_ input: Input) async throws -> Output {
        try await process(input, logContext: LoggingContext()).get()
    }
}

extension Node {
    /// Processes `data` and returns the value or the error as a result: NodeKit 5's spelling, where the context requires
    /// a ``NodeResult``.
    ///
    /// - Cancellation: The result is a failure with `CancellationError`.
    @_disfavoredOverload
    nonisolated(nonsending) public func process(_ data: Input) async -> NodeResult<Output> {
        do {
            let value: Output = try await process(data)
            return .success(value)
        } catch {
            return .failure(error)
        }
    }
}

extension Node where Input == Void {
    /// Processes nothing and returns the value or the error as a result, where the context requires a `NodeResult`.
    @_disfavoredOverload
    nonisolated(nonsending) public func process() async -> NodeResult<Output> { await process(()) }
}
#endif
