/// A lock that tasks hold while they wait: one at a time, in the order of their calls.
///
/// Cancellation does not end a wait, so that each task that asks for the lock gets it.
package final class AsyncLock: Sendable {
    private struct State {
        var isTaken = false
        var waiting = Deque<CheckedContinuation<Void, Never>>()
    }

    private let state = Locked(State())

    package init() {}

    /// The number of tasks that wait for the lock.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Waits until no other task has the lock, and takes it.
    package func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isTaken { state.waiting.append(continuation) }
                defer { state.isTaken = true }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the lock to the task that has waited the longest.
    package func unlock() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.isTaken = false }
            return next
        }
        next?.resume()
    }
}
