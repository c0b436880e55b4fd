internal import Sluice

/// Calls `next` until its own limit or the deadline of the call, whichever comes first.
nonisolated(nonsending) func limited<Request: Sendable, Response: Sendable>(
    _ request: Request,
    next: some Node<Request, Response>,
    to duration: Duration?,
    _ timer: CallTimer
) async throws -> Response {
    let outer = CallContext.current
    if duration == nil && outer.deadline == nil { return try await next.process(request) }
    let name = duration == nil ? "DeadlineFilter" : "TimeoutFilter"
    let start = timer.now
    // An own limit at the very moment of the deadline leaves the end to whoever set that.
    let deadline = outer.deadline.map(timer.time(of:)) ?? .max
    let limit = duration.map { start.advanced(byClamping: $0.nanoseconds) } ?? .max
    let isOwn = limit < deadline
    let end = min(limit, deadline)
    let call = TimedCall<Response>(duration: isOwn ? duration : nil)
    guard end > start else {
        outer.note(name, "had no time left")
        throw call.error
    }
    var context = outer
    if isOwn { context.deadline = timer.instant(at: end) }
    let work = withCallContext(context) {
        Task.now { call.finish(await Result.of { try await next.process(request) }) }
    }
    if let result = call.result { return try result.get() }
    call.attach(work)
    timer.schedule(call, at: end)
    defer { timer.cancel(call) }
    do { return try await call.value() } catch {
        // A filter inside may be told of the deadline first, which is this one's limit.
        let isLimit = call.hasExpired || (isOwn && error is DeadlineExceeded && timer.now >= end)
        guard isLimit else { throw error }
        outer.note(name, "ended the call: \(call.error)")
        throw call.error
    }
}

/// A call that the timer ends.
///
/// `@unchecked Sendable`: restates the superclass's; a `let` is added.
private final class TimedCall<Response: Sendable>: PendingCall<Response>, @unchecked Sendable {
    /// The filter's own limit; `nil` where the deadline of the call is nearer.
    private let duration: Duration?

    init(duration: Duration?) { self.duration = duration }

    var error: any Error { duration.map { TimeoutError(duration: $0) } ?? DeadlineExceeded() }

    override func fire() { end(.failure(error), expires: true) }
}
