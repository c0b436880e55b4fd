public import Sluice

/// A filter that combines equal concurrent calls into one.
///
/// ```swift
/// let node = SingleFlightFilter().andThen(users)
/// async let one = node.process("ada")
/// async let other = node.process("ada")  // one call of `users` answers both
/// ```
///
/// The shared work begins with the first caller and is canceled when the last one has left: canceling one never affects
/// another's. An error is shared like a response; the next call after it starts new work.
///
/// The work has the call context and the priority of the first caller, but no deadline: each caller leaves at its own
/// deadline.
public struct SingleFlightFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    /// A closure that joins or starts the work for a request, and returns `nil` for a request without a key.
    private let join: @Sendable (Request, PendingCall<Response>, AnyNode<Request, Response>) async throws -> Response

    /// A closure that returns the number of callers that wait for work.
    private let waiting: @Sendable () -> Int

    private let timer: CallTimer

    /// The number of callers that wait for the work of a first caller, including that caller.
    package var waitingCount: Int { waiting() }

    /// Creates a filter with calls of its own; copies share them.
    ///
    /// - Parameters:
    ///   - key: A closure that returns the key of a request; it is called once for each call, where the caller runs.
    ///     Requests with the same key share work; `nil` shares nothing.
    ///   - clock: The clock that measures the deadlines of the callers.
    public init<Key: Hashable & Sendable>(
        key: @escaping @Sendable (Request) -> Key?,
        clock: any Clock<Duration> = .continuous
    ) {
        let sharedCalls = SharedCalls<Key, Response>()
        timer = .of(clock)
        waiting = { sharedCalls.waitingCount }
        join = { request, waiter, next in
            guard let key = key(request) else { return try await next.process(request) }
            var context = CallContext.current
            context.deadline = nil
            let shared = context
            let answer = try await sharedCalls.join(key, as: waiter) {
                try await withCallContext(shared) { try await next.process(request) }
            }
            guard let answer else { return try await next.process(request) }
            if answer.isShared { CallContext.note("SingleFlightFilter", "took the answer of another call") }
            return answer.response
        }
    }

    /// Creates a filter for requests that are their own key.
    public init(clock: any Clock<Duration> = .continuous) where Request: Hashable {
        self.init(key: { $0 }, clock: clock)
    }

    /// Calls `next`, or waits for the call of another caller.
    ///
    /// - Throws: The error of the shared work; ``DeadlineError`` when the deadline of this call has passed.
    /// - Cancellation: This call ends immediately; the work continues while others wait for it.
    /// - Executor: `next` runs in a task of its own.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        guard let deadline = CallContext.current.deadline else {
            return try await join(request, PendingCall(), AnyNode(next))
        }
        let waiter = DeadlineCall<Response>()
        timer.schedule(waiter, at: timer.time(of: deadline))
        defer { timer.cancel(waiter) }
        return try await join(request, waiter, AnyNode(next))
    }

    /// The text `SingleFlightFilter`.
    public var description: String { "SingleFlightFilter" }
}

extension SingleFlightFilter: StackStage {
    /// The role ``StackRole/singleFlight``.
    public var stackRole: StackRole { .singleFlight }
}

/// A single flight in a document: `{"singleFlight": {"by": "name"}}`.
enum SingleFlightKind: FilterKind {
    static let name = "singleFlight"
    static let summary = "Combines equal concurrent calls"
    static let by = StackKey("by", .text, "the key of equal requests")
    static let keys: [any FilterKey] = [by]
    static let examples = [
        FilterExample(#"{"singleFlight": {"by": "user"}}"#, "SingleFlightFilter")
    ]

    static func role(_ settings: StackSettings) -> StackRole { .singleFlight }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) throws(StackBuildError) -> any SimpleFilter<Request, Response> {
        SingleFlightFilter<Request, Response>(key: try builder.key(settings[by]), clock: builder.bindings.clock)
    }
}
