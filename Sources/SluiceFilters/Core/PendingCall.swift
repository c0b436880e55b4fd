internal import Sluice

/// A call with a waiting caller, whose work runs in tasks of its own, and that may end before they do: by timeout or
/// cancellation.
///
///     let call = PendingCall<Response>()
///     let work = startNow { call.end(await Result.of { try await next.process(request) }) }
///     call.attach(work)
///     return try await call.value()
///
/// Only the first end counts. If it doesn't come from the work, it cancels the attached tasks.
///
/// `@unchecked Sendable`: stored state is behind a lock; that of ``TimerEntry`` belongs to the timer.
@usableFromInline
package class PendingCall<Value: Sendable>: TimerEntry, @unchecked Sendable {
    private let state = Locked(State())

    private struct State {
        var result: Result<Value, any Error>?
        var waiter: UnsafeContinuation<Value, any Error>?
        var task: Task<Void, Never>?
        var furtherTasks: [Task<Void, Never>] = []
        var hasExpired = false
    }

    @usableFromInline package override init() {}

    /// The result of the call; `nil` while it is pending.
    package final var result: Result<Value, any Error>? { state.withLock { $0.result } }

    /// A Boolean value that indicates whether the call ended by timeout.
    package final var hasExpired: Bool { state.withLock { $0.hasExpired } }

    /// Ends the call and cancels its tasks.
    ///
    /// - Parameter expires: A Boolean value that indicates whether it ends by timeout.
    /// - Returns: `true` if this was the first end.
    @discardableResult
    package final func end(_ result: Result<Value, any Error>, expires: Bool = false) -> Bool {
        let (isFirst, waiter, task, furtherTasks) = state.withLock { state in
            let isFirst = state.result == nil
            if isFirst {
                state.result = result
                state.hasExpired = expires
            }
            let taken = (isFirst, state.waiter, state.task, state.furtherTasks)
            state.waiter = nil
            state.task = nil
            state.furtherTasks = []
            return taken
        }
        task?.cancel()
        furtherTasks.forEach { $0.cancel() }
        waiter?.resume(with: result)
        return isFirst
    }

    /// Ends the call without canceling its tasks: for the only one of them, which has ended, or if they are to
    /// continue.
    ///
    /// - Returns: `true` if this was the first end.
    @discardableResult
    package final func finish(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, UnsafeContinuation<Value, any Error>?) in
            guard state.result == nil else { return (false, nil) }
            state.result = result
            state.task = nil
            let waiter = state.waiter
            state.waiter = nil
            return (true, waiter)
        }
        waiter?.resume(with: result)
        return isFirst
    }

    /// Adds a task that is canceled when the call ends, or immediately if it has.
    @usableFromInline
    package final func attach(_ task: Task<Void, Never>) {
        let hasEnded = state.withLock { state in
            if state.result != nil { return true }
            if state.task == nil { state.task = task } else { state.furtherTasks.append(task) }
            return false
        }
        if hasEnded { task.cancel() }
    }

    /// Waits for the end. Only one task may wait at a time.
    ///
    /// - Throws: The call's error; `CancellationError`, immediately, when the waiting task is canceled, which ends the
    ///   call.
    nonisolated(nonsending) package final func value() async throws -> Value {
        if let result { return try result.get() }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.waiter = continuation }
                    return state.result
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }
}

extension Result where Success: Sendable, Failure == any Error {
    /// Returns the result of `body`.
    nonisolated(nonsending) package static func of(
        _ body: nonisolated(nonsending) () async throws -> Success
    ) async -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
