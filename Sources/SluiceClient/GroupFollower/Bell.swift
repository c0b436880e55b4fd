import Sluice

/// Wakes the task that waits; a ring while none waits ends the next wait immediately.
final class Bell: Sendable {
    private enum State {
        case quiet, rung
        case waiting(CheckedContinuation<Void, Never>)
    }
    private let state = Locked(State.quiet)

    /// Rings.
    func ring() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if case .waiting(let waiter) = state {
                state = .quiet
                return waiter
            }
            state = .rung
            return nil
        }
        waiter?.resume()
    }

    /// Waits until the bell is rung, or the task is canceled. One task may wait at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if case .rung = state {
                        state = .quiet
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
                state = .quiet
                return waiter
            }
            waiter?.resume()
        }
    }

    /// Waits until the bell is rung, the time is over, or the task is canceled.
    func wait<C: Clock>(for duration: Duration, _ clock: C) async where C.Duration == Duration {
        await withTaskGroup { group in
            group.addTask { await self.wait() }
            group.addTask { try? await clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
