public import Sluice

/// Makes one call out of all that ask the same at the same time.
///
/// ```swift
/// let node = SingleFlightFilter().andThen(users)
/// async let one = node.process("ada")
/// async let other = node.process("ada")  // one call of `users` answers both
/// ```
///
/// The shared work begins with the first caller and is cancelled when the last one has left: cancelling one never
/// touches another's. An error is shared as an answer is; the next call after it starts anew.
///
/// The work has the call context and the priority of the first caller, but no deadline: each caller leaves at its own.
public struct SingleFlightFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    /// Joins or starts the work for a request; `nil` where it has no key.
    private let join: @Sendable (Request, PendingCall<Response>, AnyNode<Request, Response>) async throws -> Response

    /// The number of callers that wait for work.
    private let waiting: @Sendable () -> Int

    private let timer: CallTimer

    /// The number of callers that wait for the work of a first caller, that caller included.
    package var waitingCount: Int { waiting() }

    /// Makes a filter with calls of its own; copies share them.
    ///
    /// - Parameters:
    ///   - key: called once for each call, where the caller runs: requests with the same key are answered by the same
    ///     work; `nil` shares nothing.
    ///   - clock: measures the deadlines of the callers.
    public init<Key: Hashable & Sendable>(
        key: @escaping @Sendable (Request) -> Key?,
        clock: any Clock<Duration> = .continuous
    ) {
        let flights = Flights<Key, Response>()
        timer = .of(clock)
        waiting = { flights.waitingCount }
        join = { request, waiter, next in
            guard let key = key(request) else { return try await next.process(request) }
            var context = CallContext.current
            context.deadline = nil
            let shared = context
            let answer = try await flights.join(key, as: waiter) {
                try await withCallContext(shared) { try await next.process(request) }
            }
            guard let answer else { return try await next.process(request) }
            if answer.isShared { CallContext.note("SingleFlightFilter", "took the answer of another call") }
            return answer.response
        }
    }

    /// Makes a filter for requests that are their own key.
    public init(clock: any Clock<Duration> = .continuous) where Request: Hashable {
        self.init(key: { $0 }, clock: clock)
    }

    /// Calls `next`, or waits for the call of another.
    ///
    /// - Throws: the error of the shared work; ``DeadlineExceeded`` when the deadline of this call has passed.
    /// - Cancellation: this call ends at once; the work goes on while others wait for it.
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

    /// `SingleFlightFilter`.
    public var description: String { "SingleFlightFilter" }
}

/// A wait that ends with the deadline of its caller.
///
/// `@unchecked Sendable`: restates the superclass's; nothing is stored here.
private final class DeadlineCall<Response: Sendable>: PendingCall<Response>, @unchecked Sendable {
    override func fire() { end(.failure(DeadlineExceeded()), expires: true) }
}
