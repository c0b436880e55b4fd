public import Sluice

/// A filter that ends a call that takes too long.
///
/// ```swift
/// let node = TimeoutFilter(.seconds(2)).andThen(users)
/// let user = try await node.process("ada")  // throws TimeoutError after two seconds
/// ```
///
/// The caller returns immediately, even if the work ignores cancellation. Outside of a ``RetryFilter`` it limits all
/// attempts together, inside of one each of them; both are useful:
///
/// ```swift
/// let node = TimeoutFilter(.seconds(10))
///     .andThen(RetryFilter(maxAttempts: 3))
///     .andThen(TimeoutFilter(.seconds(2)))
///     .andThen(users)
/// let user = try await node.process("ada")
/// ```
///
/// The end of the time is passed inward as ``Sluice/CallContext/deadline``; an existing deadline that is earlier is
/// kept, and ends the call with ``DeadlineError``.
public struct TimeoutFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    @usableFromInline let duration: Duration
    @usableFromInline let timer: CallTimer

    /// Creates a filter that allows each call `duration`, measured by `clock`; more than a hundred years count as a
    /// hundred.
    public init(_ duration: Duration, clock: any Clock<Duration> = .continuous) {
        self.duration = min(duration, .seconds(3_155_760_000))
        timer = .of(clock)
    }

    /// Calls `next`.
    ///
    /// - Throws: The error of `next`; ``TimeoutError`` after `duration`; ``DeadlineError`` if the deadline of the
    ///   call is earlier, without calling `next` if it has passed.
    /// - Cancellation: Cancels `next`, as the timeout does.
    /// - Executor: `next` runs in a task of its own, so that the caller can return while it is still running: where the
    ///   caller runs up to its first suspension, on the global executor from there on.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        try await limited(request, next: next, to: duration, timer)
    }

    /// A description such as `TimeoutFilter(2.0 seconds)`.
    public var description: String { "TimeoutFilter(\(duration))" }
}

/// A filter that ends a call when its deadline has passed, wherever the deadline was set: by a header that a server
/// read, or by a caller.
///
/// ```swift
/// var context = CallContext.current
/// context.deadline = .now + .seconds(2)
/// let node = DeadlineFilter().andThen(users)
/// let user = try await withCallContext(context) { try await node.process("ada") }
/// ```
///
/// A call without a deadline passes through. The caller returns immediately, even if the work ignores cancellation.
public struct DeadlineFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    @usableFromInline let timer: CallTimer

    /// Creates a filter; `clock` is the clock of the deadline.
    public init(clock: any Clock<Duration> = .continuous) { timer = .of(clock) }

    /// Calls `next`.
    ///
    /// - Throws: The error of `next`; ``DeadlineError`` when the deadline passes, without calling `next` if it
    ///   already has.
    /// - Cancellation: Cancels `next`, as the deadline does.
    /// - Executor: As for ``TimeoutFilter/process(_:next:)``; without a deadline, where the caller runs.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        try await limited(request, next: next, to: nil, timer)
    }

    /// The text `DeadlineFilter`.
    public var description: String { "DeadlineFilter" }
}

/// An error that indicates that a call took longer than allowed.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
    /// The allowed duration.
    public let duration: Duration

    /// Creates the error for a call that was allowed `duration`.
    public init(duration: Duration) { self.duration = duration }

    /// The text of the error: `no answer within 2.0 seconds`.
    public var description: String { "no answer within \(duration)" }
}

extension TimeoutFilter: StackStage {
    /// The role ``StackRole/timeout(_:)``.
    public var stackRole: StackRole { .timeout(duration) }
}

/// A timeout in a document: `{"timeout": {"seconds": 10}}`.
enum TimeoutKind: FilterKind {
    static let name = "timeout"
    static let summary = "Ends a call after a time"
    static let seconds = StackKey("seconds", .positiveSeconds, "the longest time of a call")
    static let keys: [any FilterKey] = [seconds]
    static let examples = [
        FilterExample(#"{"timeout": {"seconds": 10}}"#, "TimeoutFilter(10.0 seconds)")
    ]

    static func role(describedAs text: String) -> StackRole {
        let seconds = text.dropFirst(typeName.count + 1).prefix { $0.isNumber || $0 == "." }
        return .timeout(.seconds(Double(seconds) ?? 0))
    }

    static func role(_ settings: StackSettings) -> StackRole { .timeout(settings[seconds]) }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        TimeoutFilter<Request, Response>(settings[seconds], clock: builder.bindings.clock)
    }
}

extension DeadlineFilter: StackStage {
    /// The role ``StackRole/deadline``.
    public var stackRole: StackRole { .deadline }
}

/// A deadline in a document: `{"deadline": {}}`.
enum DeadlineKind: FilterKind {
    static let name = "deadline"
    static let summary = "Ends a call at the deadline of its caller"
    static let examples = [
        FilterExample(#"{"deadline": {}}"#, "DeadlineFilter")
    ]

    static func role(_ settings: StackSettings) -> StackRole { .deadline }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        DeadlineFilter<Request, Response>(clock: builder.bindings.clock)
    }
}
