import Sluice

/// The task that makes attempts one after the other, of which each may cancel the task while it is being made.
///
/// A receiver that limits its time has this task canceled, so that an attempt needs no task of its own.
final class AttemptTask: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var isCanceled = false
        /// The number of times that an attempt has begun or ended.
        var changes = 0
    }

    private let state = Locked(State())

    /// Makes one attempt in a task of its own, which ends with the caller's.
    ///
    /// - Parameter body: The attempt. It is called once, with a closure that cancels the task until the attempt has ended.
    static func run<Result: Sendable>(
        _ body: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async -> Result
    ) async -> Result {
        let task = AttemptTask()
        let work = Task { await task.attempt(body) }
        task.set(work)
        return await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
    }

    /// Sets the task, which is canceled at once where an attempt has asked for that already.
    func set<Value>(_ task: Task<Value, Never>) {
        let isCanceled = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.isCanceled
        }
        if isCanceled { task.cancel() }
    }

    /// Makes an attempt.
    ///
    /// - Parameter body: The attempt. It is called once, with a closure that cancels the task until the attempt has ended.
    func attempt<Result: Sendable>(_ body: (_ cancel: @escaping @Sendable () -> Void) async -> Result) async -> Result {
        let attempt = change()
        defer { _ = change() }
        return await body { [self] in cancel(attempt) }
    }

    private func change() -> Int {
        state.withLock { state in
            state.changes += 1
            return state.changes
        }
    }

    private func cancel(_ attempt: Int) {
        let cancel = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.changes == attempt else { return nil }
            state.isCanceled = true
            return state.cancel
        }
        cancel?()
    }
}
