import Sluice

/// A queue of the sources of the outside world that have items for a driver, in the order in which they were added.
final class ReadySources: Sendable {
    private let queue = Locked(Deque<Int>())
    private let signal = Signal()
    /// A closure that is called after a source was added.
    private let onAdd: @Sendable () -> Void

    init(onAdd: @escaping @Sendable () -> Void = {}) { self.onAdd = onAdd }

    func add(_ source: Int) {
        queue.withLock { $0.append(source) }
        signal.notify()
        onAdd()
    }

    /// Removes and returns the first source.
    func next() -> Int? { queue.withLock { $0.popFirst() } }

    /// Waits until there is a source, or the task is canceled. Only one task may wait at a time.
    func wait() async {
        // A notification may be of a source that was removed without waiting.
        while queue.withLock({ $0.isEmpty }), !Task.isCancelled { await signal.wait() }
    }
}
