import Sluice

/// The notices that wait for a reader, in their order. Who adds one waits for room first, so that no more wait than the
/// limit and one for each that adds.
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

    /// Waits until there is room, or nobody reads any more.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
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
                releaseAll()  // those who wait look again, this one among them
            }
        }
    }

    /// Adds a notice; one that comes after the end is dropped.
    func push(_ notice: FollowerNotice) {
        let reader = state.withLock { state in
            if state.end == nil { state.items.append(notice) }
            return state.takeReader()
        }
        reader?.resume()
    }

    /// Ends the queue: the reader is given what waits, and then the end.
    func finish(_ error: (any Error)?) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = error.map { Result.failure($0) } ?? .success(()) }
            return state.takeReader()
        }
        reader?.resume()
        releaseAll()
    }

    /// The next notice; `nil` at the end.
    ///
    /// - Throws: `CancellationError`, at once, when the task is cancelled; the error that the queue ended with.
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

    /// Waits until something is there, or the task is cancelled.
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
