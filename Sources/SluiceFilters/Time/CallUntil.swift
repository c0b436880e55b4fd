/// Calls `body`, and ends the call at a time.
///
/// It schedules nothing if `body` answers without waiting. At the end it returns immediately: canceled work may go on for a
/// moment, and its result is dropped.
///
/// - Parameters:
///   - end: The time at which the call ends.
///   - timer: The timer that ends it.
///   - body: The work, which the function calls once, in a task that it cancels when the call ends before the work.
/// - Throws: `DeadlineError` when the time has come; `CancellationError` when the caller is canceled; the error of `body`.
package nonisolated(nonsending) func callUntil<Response: Sendable>(
    _ end: Int64,
    _ timer: CallTimer,
    _ body: @escaping @Sendable () async throws -> Response
) async throws -> Response {
    let call = DeadlineCall<Response>()
    let work = startNow {
        let answer = await Result.of { try await body() }
        call.finish(answer)
    }
    if let answer = call.result { return try answer.get() }
    call.attach(work)
    timer.schedule(call, at: end)
    defer { timer.cancel(call) }
    return try await call.value()
}
