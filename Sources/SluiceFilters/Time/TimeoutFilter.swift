public import Sluice

/// Ends a call that takes too long.
///
/// ```swift
/// let node = TimeoutFilter(.seconds(2)).andThen(users)
/// let user = try await node.process("ada")  // throws TimeoutError after two seconds
/// ```
///
/// The caller is told at once, also when the work does not heed cancel. Outside of a ``RetryFilter`` it limits all tries
/// together, inside of one each of them; both are of use:
///
/// ```swift
/// let node = TimeoutFilter(.seconds(10))
///     .andThen(RetryFilter(attempt: 3))
///     .andThen(TimeoutFilter(.seconds(2)))
///     .andThen(users)
/// let user = try await node.process("ada")
/// ```
///
/// The end of the time travels inward as ``Sluice/CallContext/deadline``; a deadline that is there already and is
/// earlier is kept, and ends the call with ``DeadlineExceeded``.
public struct TimeoutFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    @usableFromInline let duration: Duration
    @usableFromInline let timer: CallTimer

    /// Makes a filter that allows each call `duration`, measured by `clock`; more than a hundred years are a hundred.
    public init(_ duration: Duration, clock: any Clock<Duration> = .continuous) {
        self.duration = min(duration, .seconds(3_155_760_000))
        timer = .of(clock)
    }

    /// Calls `next`.
    ///
    /// - Throws: the error of `next`; ``TimeoutError`` when the time is over; ``DeadlineExceeded`` when the deadline of
    ///   the call came first, without calling `next` if it has passed.
    /// - Cancellation: cancels `next`, as the end of the time does.
    /// - Executor: `next` runs in a task of its own, so that the caller can be told while it still runs: where the
    ///   caller runs up to its first wait, on the global executor from there on.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        try await limited(request, next: next, to: duration, timer)
    }

    /// `TimeoutFilter(2.0 seconds)`.
    public var description: String { "TimeoutFilter(\(duration))" }
}

/// Ends a call when its deadline has passed, wherever that was set: by a header that a server read, by a caller.
///
/// ```swift
/// var context = CallContext.current
/// context.deadline = .now + .seconds(2)
/// let node = DeadlineFilter().andThen(users)
/// let user = try await withCallContext(context) { try await node.process("ada") }
/// ```
///
/// A call without a deadline passes through. It is told at once, also when the work does not heed cancel.
public struct DeadlineFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    @usableFromInline let timer: CallTimer

    /// Makes a filter; `clock` is the one that the deadline was taken from.
    public init(clock: any Clock<Duration> = .continuous) { timer = .of(clock) }

    /// Calls `next`.
    ///
    /// - Throws: the error of `next`; ``DeadlineExceeded`` when the deadline passes, without calling `next` if it has.
    /// - Cancellation: cancels `next`, as the deadline does.
    /// - Executor: as ``TimeoutFilter/process(_:next:)``; without a deadline where the caller runs.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        try await limited(request, next: next, to: nil, timer)
    }

    /// `DeadlineFilter`.
    public var description: String { "DeadlineFilter" }
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
