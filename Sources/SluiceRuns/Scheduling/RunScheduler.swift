import Dispatch
import Foundation
import Sluice

/// A few threads that all runs share fairly, apart from the threads of a server.
///
/// Each run has a ``RunExecutor``. What a program asks of a run (its actor's jobs) comes before the run's own turns, and
/// turns go to the run that has worked the least lately: a run that ticks now and then doesn't wait behind a hundred runs
/// that never rest. A run works for a ``quantum`` at a time.
///
/// Threads are started when they are needed, and end when nothing happens for a while.
package final class RunScheduler: Sendable {
    /// The time that a run works before another has its turn, in nanoseconds.
    package let quantum: Int64
    /// Returns the time that work is measured with, in nanoseconds.
    package let now: @Sendable () -> Int64
    private let limit: Int
    private let state = Locked(State())

    private struct State {
        var queue = RunQueue()
        /// The threads that wait for work, the last to wait first.
        var idle: [DispatchSemaphore] = []
        var threads = 0
    }

    /// The time that a thread waits for work before it ends.
    private static let patience = DispatchTimeInterval.seconds(5)

    /// Makes a scheduler.
    ///
    /// - Parameters:
    ///   - threads: the largest number of threads; the number of processors by default.
    ///   - quantum: the time that a run works before another has its turn.
    ///   - now: measures the work, in nanoseconds.
    package init(
        threads: Int = ProcessInfo.processInfo.activeProcessorCount,
        quantum: Duration = .milliseconds(2),
        now: @escaping @Sendable () -> Int64 = { Int64(DispatchTime.now().uptimeNanoseconds) }
    ) {
        limit = max(1, threads)
        let (seconds, attoseconds) = quantum.components
        self.quantum = seconds > 1_000_000 ? .max / 4 : max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        self.now = now
    }

    /// A Boolean value that indicates whether no run works or waits for its turn.
    package var isIdle: Bool { state.withLock { $0.queue.isIdle } }

    /// The number of times that work has been handed in: where it is what it was, nothing was begun meanwhile.
    package var workCount: Int { state.withLock { $0.queue.workCount } }

    // MARK: Executors

    func nextID() -> Int { state.withLock { $0.queue.nextID() } }

    func add(_ executor: RunExecutor, _ id: Int) { state.withLock { $0.queue.add(executor, id) } }

    func setTurn(_ id: Int, _ body: @escaping @Sendable () -> Void) { state.withLock { $0.queue.setTurn(id, body) } }

    func remove(_ id: Int) { state.withLock { $0.queue.remove(id) } }

    func isRunning(_ id: Int) -> Bool {
        let thread = ObjectIdentifier(Thread.current)
        return state.withLock { $0.queue.isRunning(id, on: thread) }
    }

    func enqueue(_ job: UnownedJob, for executor: RunExecutor, _ id: Int) {
        handIn { $0.add(job, for: executor, id) }
    }

    func requestTurn(_ id: Int) { handIn { $0.requestTurn(id) } }

    // MARK: Threads

    /// Hands work in, and wakes a thread for it.
    ///
    /// - Parameter work: returns whether another run waits now.
    private func handIn(_ work: (inout RunQueue) -> Bool) {
        var isThreadMissing = false
        let waiting = state.withLock { state -> DispatchSemaphore? in
            guard work(&state.queue) else { return nil }
            if let waiting = state.idle.popLast() { return waiting }
            if state.threads < limit {
                state.threads += 1
                isThreadMissing = true
            }
            return nil
        }
        waiting?.signal()
        if isThreadMissing { startThread() }
    }

    private func startThread() {
        let thread = Thread { [self] in work() }
        thread.name = "sluice.runs"
        // As deep as the stacks of the standard library's own threads: expressions and documents nest.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Works until nothing happens for a while.
    private func work() {
        let thread = ObjectIdentifier(Thread.current)
        let signal = DispatchSemaphore(value: 0)
        while true {
            let next = state.withLock { state -> RunQueue.Work? in
                if let work = state.queue.take(on: thread) { return work }
                state.idle.append(signal)
                return nil
            }
            if let next {
                let begin = now()
                next.perform()
                let time = max(0, now() - begin)
                // This thread takes up what has come for the run meanwhile.
                state.withLock { $0.queue.finish(next.id, after: time, quantum: quantum) }
            } else if signal.wait(timeout: .now() + Self.patience) == .timedOut {
                let isOver = state.withLock { state in
                    // One that was just called goes on.
                    guard let index = state.idle.firstIndex(where: { $0 === signal }) else { return false }
                    state.idle.remove(at: index)
                    state.threads -= 1
                    return true
                }
                if isOver { return }
                signal.wait()
            }
        }
    }
}
