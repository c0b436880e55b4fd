public import Sluice

/// Tries a call again when it fails.
///
/// ```swift
/// let node = RetryFilter(attempt: 3).andThen(users)
/// let user = try await node.process("ada")  // up to three tries in all
/// ```
///
/// What cannot be tried again is not: cancel, and errors that `when` refuses. The number of the try is in
/// ``Sluice/CallContext/attempt``, from 1.
public struct RetryFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let attempts: Int
    private let isWorthwhile: @Sendable (any Error) -> Bool
    private let pause: @Sendable (Int) -> Duration
    private let clock: any Clock<Duration>

    /// Makes a filter that tries `attempt` times in all.
    ///
    /// - Parameters:
    ///   - attempt: how many tries there are in all, the first included; below 1 counts as 1.
    ///   - isWorthwhile: asked after a failed try that is not the last, with its error: whether another makes sense.
    ///   - pause: asked before each further try with the number of the one that failed, from 1: how long to wait.
    ///   - clock: measures the pauses.
    public init(
        attempt: Int,
        when isWorthwhile: @escaping @Sendable (any Error) -> Bool = { _ in true },
        pause: @escaping @Sendable (Int) -> Duration = { _ in .zero },
        clock: any Clock<Duration> = .continuous
    ) {
        attempts = max(attempt, 1)
        self.isWorthwhile = isWorthwhile
        self.pause = pause
        self.clock = clock
    }

    /// Calls `next` until it answers.
    ///
    /// - Throws: the error of the last try; `CancellationError`, at once, when the calling task is cancelled.
    /// - Cancellation: cancels the running try, or the pause.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        var context = CallContext.current
        for attempt in 1..<attempts {
            context.attempt = attempt
            do {
                return try await withCallContext(context) { try await next.process(request) }
            } catch {
                try Task.checkCancellation()
                guard !(error is CancellationError), isWorthwhile(error) else { throw error }
                let duration = pause(attempt)
                CallContext.log(.info, "try \(attempt) of \(attempts) failed, next in \(duration): \(error)")
                if duration > .zero { try await clock.sleep(for: duration) }
            }
        }
        context.attempt = attempts
        return try await withCallContext(context) { try await next.process(request) }
    }

    /// `RetryFilter(attempt: 3)`.
    public var description: String { "RetryFilter(attempt: \(attempts))" }
}
