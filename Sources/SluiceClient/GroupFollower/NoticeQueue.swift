import Sluice

/// A bounded queue of notices. A writer waits for room before it adds a notice, so at most the limit and one notice for
/// each writer wait.
final class NoticeQueue: Sendable {
    private struct State {
        var items: [FollowerNotice] = []
        var first = 0
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Void, Never>?
        var waiting: [CheckedContinuation<Void, Never>] = []
        var count: Int { items.count - first }

        mutating func pop() -> FollowerNotice? {
            guard first < items.count else { return nil }
            let notice = items[first]
            first += 1
            if first > 1_000, first * 2 > items.count {
                items.removeFirst(first)
                first = 0
            }
            return notice
        }

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }
    private let state = Locked(State())
    private let limit: Int

    init(limit: Int) { self.limit = max(limit, 1) }

    /// Waits until there is room, or the queue has ended.
    ///
    /// - Throws: `CancellationError` when the task is canceled.
    func room() async throws {
        while true {
            try Task.checkCancellation()
            if state.withLock({ $0.count < limit || $0.end != nil }) { return }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isDue = state.withLock { state in
                        if state.count < limit || state.end != nil || Task.isCancelled { return true }
                        state.waiting.append(continuation)
                        return false
                    }
                    if isDue { continuation.resume() }
                }
            } onCancel: {
                releaseAll()  // all waiting writers check again, including this one
            }
        }
    }

    /// Adds a notice; it is dropped after the end of the queue.
    func push(_ notice: FollowerNotice) {
        let reader = state.withLock { state in
            if state.end == nil { state.items.append(notice) }
            return state.takeReader()
        }
        reader?.resume()
    }

    /// Ends the queue. The reader receives the waiting notices, and then the end.
    func finish(_ error: (any Error)?) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = error.map { Result.failure($0) } ?? .success(()) }
            return state.takeReader()
        }
        reader?.resume()
        releaseAll()
    }

    /// Returns the next notice; `nil` at the end.
    ///
    /// - Throws: `CancellationError` at once when the task is canceled; the error with which the queue ended.
    func next() async throws -> FollowerNotice? {
        while true {
            try Task.checkCancellation()
            let (notice, end, released) = state.withLock { state in
                let notice = state.pop()
                let isHalfEmpty = state.count <= limit / 2
                let released = isHalfEmpty ? state.waiting : []
                if isHalfEmpty { state.waiting = [] }
                return (notice, state.end, released)
            }
            released.forEach { $0.resume() }
            if let notice { return notice }
            if let end {
                try end.get()
                return nil
            }
            await wait()
        }
    }

    /// Waits until there is a notice, or the task is canceled.
    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.count > 0 || state.end != nil || Task.isCancelled { return true }
                    state.reader = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeReader() }?.resume()
        }
    }

    private func releaseAll() {
        let released = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        released.forEach { $0.resume() }
    }
}
