/// Wakes a waiting task. A notification without a waiting task is kept for the next one that waits.
package final class Signal: Sendable {
    private enum State {
        case idle, notified
        case waiting(CheckedContinuation<Void, Never>)
    }
    private let state = Locked(State.idle)

    package init() {}

    /// Wakes the waiting task, or the next one that waits.
    package func notify() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let waiter) = state {
                state = .idle
                return waiter
            }
            state = .notified
            return nil
        }
        waiter?.resume()
    }

    /// Waits for a notification, or until the task is canceled. Only one task may wait at a time.
    package func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if case .notified = state {
                        state = .idle
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard case .waiting(let waiter) = state else { return nil }
                state = .idle
                return waiter
            }
            waiter?.resume()
        }
    }

    /// Waits for a notification, until a time is over, or until the task is canceled.
    package func wait<C: Clock>(for duration: Duration, _ clock: C) async where C.Duration == Duration {
        await withTaskGroup { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits for a notification, for a time at most, by a clock of any type.
    package func wait(for duration: Duration, by clock: any Clock<Duration>) async {
        await withTaskGroup { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
