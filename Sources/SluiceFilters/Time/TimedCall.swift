public import Sluice

/// Calls `next` with a limit: its own duration or the deadline of the call, whichever is earlier.
///
/// Only the parts that depend on the types are here, so that the compiler can optimize them where a filter is used.
@inlinable
nonisolated(nonsending) func limited<Request: Sendable, Response: Sendable>(
    _ request: Request,
    next: some Node<Request, Response>,
    to duration: Duration?,
    _ timer: CallTimer
) async throws -> Response {
    guard let limit = try CallLimit(duration, timer) else { return try await next.process(request) }
    let call = TimedCall<Response>(limit, timer)
    let work = withCallContext(limit.context) {
        startNow {
            do { call.answer = .success(try await next.process(request)) } catch { call.answer = .failure(error) }
            call.workIsOver()
        }
    }
    if !call.isWorkOver { try await call.wait(for: work) }
    switch call.answer {
    case .success(let response)?:
        call.noteAnswer()
        return response
    case .failure(let error)?: throw call.told(error)
    case nil: throw CancellationError()  // a call that is over has answered
    }
}

/// The time at which a call ends.
@usableFromInline
struct CallLimit: Sendable {
    /// The filter's own limit; `nil` if the deadline of the call is earlier.
    let duration: Duration?
    let name: StaticString
    let start: Int64
    let end: Int64
    /// The context of the work, whose deadline is the end.
    @usableFromInline let context: CallContext

    /// Creates the limit of a call that begins now, or returns `nil` if there is neither a limit nor a deadline.
    ///
    /// - Throws: The error of a call for which there is no time.
    @usableFromInline
    init?(_ duration: Duration?, _ timer: CallTimer) throws {
        var context = CallContext.current
        let deadline = context.deadline
        if duration == nil && deadline == nil { return nil }
        name = duration == nil ? "DeadlineFilter" : "TimeoutFilter"
        let start = timer.now
        self.start = start
        // If a filter's limit coincides with the deadline, the code that set the deadline ends the call.
        let time = deadline.map(timer.time(of:)) ?? .max
        let limit = duration.map { start.advanced(byClamping: $0.nanoseconds) } ?? .max
        end = min(limit, time)
        if limit < time {
            context.watchDeadline(timer.instant(at: end))
            self.duration = duration
        } else {
            if let deadline { context.watchDeadline(deadline) }
            self.duration = nil
        }
        self.context = context
        guard end > start else {
            CallContext.note("\(name)", "had no time left")
            throw Self.error(self.duration)
        }
    }

    static func error(_ duration: Duration?) -> any Error {
        duration.map { TimeoutError(duration: $0) } ?? DeadlineError()
    }
}

/// A call that the timer ends: the part that does not depend on its types.
///
/// `@unchecked Sendable`: restates the superclass's conformance; only `let`s are added.
@usableFromInline
class LimitedCall: PendingCall<Void>, @unchecked Sendable {
    private let duration: Duration?
    private let name: StaticString
    private let start: Int64
    private let end: Int64
    private let timer: CallTimer

    @usableFromInline
    init(_ limit: CallLimit, _ timer: CallTimer) {
        duration = limit.duration
        name = limit.name
        start = limit.start
        end = limit.end
        self.timer = timer
    }

    @usableFromInline
    final func workIsOver() { finish(.success(())) }

    @usableFromInline final var isWorkOver: Bool { result != nil }

    /// Waits for the end of the work or of the time.
    @usableFromInline
    nonisolated(nonsending) final func wait(for work: Task<Void, Never>) async throws {
        attach(work)
        timer.schedule(self, at: end)
        defer { timer.cancel(self) }
        do { try await value() } catch { throw told(error) }
    }

    /// Records the duration of the work, if the call is being explained.
    @usableFromInline
    final func noteAnswer() { note("answered after \(Duration.nanoseconds(timer.now - start))") }

    /// Returns the error to throw for an error of the work.
    @usableFromInline
    final func told(_ error: any Error) -> any Error {
        // An inner filter may report the deadline first, which is this filter's limit.
        let isLimit = hasExpired || (duration != nil && error is DeadlineError && timer.now >= end)
        guard isLimit else { return error }
        note("ended the call: \(self.error)")
        return self.error
    }

    private var error: any Error { CallLimit.error(duration) }

    private func note(_ event: @autoclosure () -> String) {
        CallContext.note("\(name)", event())
    }

    final override func fire() { end(.failure(error), expires: true) }
}

/// A call that the timer ends, with its response.
///
/// `@unchecked Sendable`: the work writes the response before it ends the call under the superclass's lock, and the
/// response is read only after that.
@usableFromInline
final class TimedCall<Response: Sendable>: LimitedCall, @unchecked Sendable {
    @usableFromInline var answer: Result<Response, any Error>?

    @inlinable
    override init(_ limit: CallLimit, _ timer: CallTimer) { super.init(limit, timer) }
}
