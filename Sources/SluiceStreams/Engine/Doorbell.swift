import Sluice

/// Tells a driver which sources of the outside world have something, in the order in which they rang.
final class Doorbell: Sendable {
    private let state = Locked(State())
    /// Called after each ring.
    private let onRing: @Sendable () -> Void

    private struct State {
        var rung = FIFO<Int>()
        var waiter: CheckedContinuation<Void, Never>?
    }

    init(onRing: @escaping @Sendable () -> Void = {}) { self.onRing = onRing }

    func ring(_ source: Int) {
        let waiter = state.withLock { state in
            state.rung.append(source)
            let waiter = state.waiter
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
        onRing()
    }

    /// Who rang first of those that have not been asked.
    func next() -> Int? { state.withLock { $0.rung.popFirst() } }

    /// Waits until somebody has rung, or the task is cancelled. One waits at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if !state.rung.isEmpty || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiter
                state.waiter = nil
                return waiter
            }
            waiter?.resume()
        }
    }
}
