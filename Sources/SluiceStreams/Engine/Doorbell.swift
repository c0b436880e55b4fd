import Sluice

/// A queue of the sources of the outside world that have something for a driver, in the order in which they rang.
final class Doorbell: Sendable {
    private let state = Locked(State())
    /// A closure that is called after each ring.
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

    /// Removes and returns the first source that has rung.
    func next() -> Int? { state.withLock { $0.rung.popFirst() } }

    /// Waits until a source has rung, or the task is canceled. Only one task may wait at a time.
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
