import Sluice

/// Whose turn it is: two programs at a time, as many as there are cores, so that their times mean something.
enum Turn {
    private static let state = Locked((free: 2, waiting: [CheckedContinuation<Void, Never>]()))

    /// Waits for a turn.
    static func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the turn to the next.
    static func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
