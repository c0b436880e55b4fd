public import Sluice

/// Calls `next` until its own limit or the deadline of the call, whichever comes first.
///
/// Only what depends on the types is here, so that the compiler can see through it where a filter is used.
@inlinable
nonisolated(nonsending) func limited<Request: Sendable, Response: Sendable>(
    _ request: Request,
    next: some Node<Request, Response>,
    to duration: Duration?,
    _ timer: CallTimer
) async throws -> Response {
    guard let call = try TimedCall.begin(duration, timer) else { return try await next.process(request) }
    let work = withCallContext(call.context) {
        startNow(answering: {
            defer { call.workIsOver() }
            return try await next.process(request)
        })
    }
    if !call.isWorkOver { try await call.wait { work.cancel() } }
    do { return try await work.value } catch { throw call.told(error) }
}

/// A call that the timer ends: what does not depend on its types.
///
/// `@unchecked Sendable`: restates the superclass's; only `let`s are added.
@usableFromInline
final class TimedCall: PendingCall<Void>, @unchecked Sendable {
    /// The filter's own limit; `nil` where the deadline of the call is nearer.
    private let duration: Duration?
    private let name: String
    private let end: Int64
    private let timer: CallTimer
    private let outer: CallContext
    /// What the work runs with: its deadline is the end.
    @usableFromInline let context: CallContext

    private init(duration: Duration?, name: String, end: Int64, timer: CallTimer, outer: CallContext) {
        self.duration = duration
        self.name = name
        self.end = end
        self.timer = timer
        self.outer = outer
        var context = outer
        if duration != nil { context.deadline = timer.instant(at: end) }
        self.context = context
    }

    /// A call that begins now.
    ///
    /// - Returns: `nil` where there is neither a limit nor a deadline.
    /// - Throws: what the call ends with when there is no time for it.
    @usableFromInline
    static func begin(_ duration: Duration?, _ timer: CallTimer) throws -> TimedCall? {
        let outer = CallContext.current
        if duration == nil && outer.deadline == nil { return nil }
        let start = timer.now
        // An own limit at the very moment of the deadline leaves the end to whoever set that.
        let deadline = outer.deadline.map(timer.time(of:)) ?? .max
        let limit = duration.map { start.advanced(byClamping: $0.nanoseconds) } ?? .max
        let call = TimedCall(
            duration: limit < deadline ? duration : nil,
            name: duration == nil ? "DeadlineFilter" : "TimeoutFilter",
            end: min(limit, deadline),
            timer: timer,
            outer: outer
        )
        guard call.end > start else {
            outer.note(call.name, "had no time left")
            throw call.error
        }
        return call
    }

    @usableFromInline
    func workIsOver() { finish(.success(())) }

    @usableFromInline var isWorkOver: Bool { result != nil }

    /// Waits for the end of the work or of the time.
    @usableFromInline
    nonisolated(nonsending) func wait(cancel: @escaping @Sendable () -> Void) async throws {
        attach(cancel)
        timer.schedule(self, at: end)
        defer { timer.cancel(self) }
        do { try await value() } catch { throw told(error) }
    }

    /// The error to throw for one that came out.
    @usableFromInline
    func told(_ error: any Error) -> any Error {
        // A filter inside may be told of the deadline first, which is this one's limit.
        let isLimit = hasExpired || (duration != nil && error is DeadlineExceeded && timer.now >= end)
        guard isLimit else { return error }
        outer.note(name, "ended the call: \(self.error)")
        return self.error
    }

    private var error: any Error { duration.map { TimeoutError(duration: $0) } ?? DeadlineExceeded() }

    override func fire() { end(.failure(error), expires: true) }
}
