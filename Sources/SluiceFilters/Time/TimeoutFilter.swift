public import Sluice

/// Ends a call that takes too long.
///
/// ```swift
/// let node = TimeoutFilter(.seconds(2)).andThen(users)
/// let user = try await node.process("ada")  // throws TimeoutError after two seconds
/// ```
///
/// The caller is told at once, also when the work does not heed cancel.
public struct TimeoutFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let duration: Duration
    private let clock: any Clock<Duration>

    /// Makes a filter that allows each call `duration`, measured by `clock`; more than a thousand years are a thousand.
    public init(_ duration: Duration, clock: any Clock<Duration> = .continuous) {
        self.duration = min(duration, .seconds(31_557_600_000))
        self.clock = clock
    }

    /// Calls `next`.
    ///
    /// - Throws: the error of `next`; ``TimeoutError`` when the time is over.
    /// - Cancellation: cancels `next`, as the end of the time does.
    /// - Executor: `next` runs in a task of its own, and not where the caller runs, so that the caller can be told
    ///   while it still runs.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let call: Observer<Response> = next.process(request)
        let result = Context<Response>()
        call.onCompleted(isolation: nil) { result.emit($0) }
            .onError(isolation: nil) { result.emit(error: $0) }
            .onCanceled(isolation: nil) { result.cancel() }
        result.onCanceled(isolation: nil) { call.cancel() }
        let timer = Task { [clock, duration] in
            try await clock.sleep(for: duration)
            result.emit(error: TimeoutError(duration: duration))
            call.cancel()
        }
        defer { timer.cancel() }
        return try await result.value
    }

    /// `TimeoutFilter(2.0 seconds)`.
    public var description: String { "TimeoutFilter(\(duration))" }
}

/// A call took longer than it was allowed to.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
    /// How long it was allowed to take.
    public let duration: Duration

    /// Makes the error for a call that was allowed `duration`.
    public init(duration: Duration) { self.duration = duration }

    /// `no answer within 2.0 seconds`.
    public var description: String { "no answer within \(duration)" }
}
