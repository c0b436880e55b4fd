import Dispatch
import Foundation
import Sluice

/// A few threads that all runs share fairly, apart from the threads of a server.
///
/// Each run has a ``RunExecutor``. What a program asks of a run (its actor's jobs) comes before the run's own turns, and
/// turns go to the run that has worked the least lately: a run that ticks now and then doesn't wait behind a hundred runs
/// that never rest. A run works for a ``quantum`` at a time.
///
/// Some work can't be divided: an instant with many events, or a state that is stored or restored. While it holds threads up,
/// a few more threads do what waits, so that no run waits for another one's instant.
///
/// Threads are started when they are needed, and end when nothing happens for a while. Their priority is lower than that of
/// the threads that answer requests.
package final class RunScheduler: Sendable {
    /// The time that a run works before another has its turn, in nanoseconds.
    package let quantum: Int64
    /// Returns the time that work is measured with, in nanoseconds.
    package let now: @Sendable () -> Int64
    private let state: Locked<State>
    /// Looks for threads that are held up.
    private let watch = DispatchQueue(label: "sluice.runs.watch")

    private struct State {
        var queue = RunQueue()
        var crew: RunCrew
        /// The threads that wait for work, the last to wait first.
        var idle: [DispatchSemaphore] = []
        /// A Boolean value that indicates whether a look for threads that are held up is due.
        var isWatched = false

        /// A Boolean value that indicates whether a run waits for a thread.
        var isWaiting: Bool { queue.active > crew.workingCount }

        /// Returns a Boolean value that indicates whether a look is to be scheduled, since a run waits.
        mutating func watch() -> Bool {
            if isWatched || crew.spareLimit == 0 || !isWaiting { return false }
            isWatched = true
            return true
        }
    }

    /// The work of a thread.
    private enum Next {
        case work(RunQueue.Work)
        case wait
        case end
    }

    /// The time that a thread waits for work before it ends.
    private static let patience = DispatchTimeInterval.seconds(5)

    /// Makes a scheduler.
    ///
    /// - Parameters:
    ///   - threads: the largest number of threads; the number of processors by default.
    ///   - spareThreads: the most threads beyond them, while some are held up.
    ///   - quantum: the time that a run works before another has its turn.
    ///   - now: measures the work, in nanoseconds.
    package init(
        threads: Int = ProcessInfo.processInfo.activeProcessorCount,
        spareThreads: Int = 4,
        quantum: Duration = .milliseconds(2),
        now: @escaping @Sendable () -> Int64 = { Int64(DispatchTime.now().uptimeNanoseconds) }
    ) {
        state = Locked(State(crew: RunCrew(limit: max(1, threads), spareLimit: max(0, spareThreads))))
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
        var (isThreadMissing, isLookDue) = (false, false)
        let waiting = state.withLock { state -> DispatchSemaphore? in
            guard work(&state.queue) else { return nil }
            if let waiting = state.idle.popLast() { return waiting }
            isThreadMissing = state.crew.hire(at: now())
            isLookDue = !isThreadMissing && state.watch()
            return nil
        }
        waiting?.signal()
        if isThreadMissing { startThread() }
        if isLookDue { lookSoon() }
    }

    /// Starts a thread soon where a run still waits, and those that there are, are held up.
    private func lookSoon() {
        watch.asyncAfter(deadline: .now() + .nanoseconds(Int(RunCrew.patience))) { [weak self] in
            guard let self else { return }
            let (isThreadMissing, isLookDue) = state.withLock { state in
                state.isWatched = false
                return (state.isWaiting && state.crew.hire(at: now()), state.watch())
            }
            if isThreadMissing { startThread() }
            if isLookDue { lookSoon() }
        }
    }

    private func startThread() {
        let thread = Thread { [self] in work() }
        thread.name = "sluice.runs"
        // As deep as the stacks of the standard library's own threads: expressions and documents nest.
        thread.stackSize = 8 << 20
        thread.startBehindRequests()
    }

    /// Works until nothing happens for a while.
    private func work() {
        ThreadPriority.lower()
        let thread = ObjectIdentifier(Thread.current)
        let signal = DispatchSemaphore(value: 0)
        while true {
            let begin = now()
            let next = state.withLock { state -> Next in
                if state.crew.dismiss(at: begin) { return .end }
                if let work = state.queue.take(on: thread) {
                    state.crew.begin(thread, at: begin)
                    return .work(work)
                }
                state.idle.append(signal)
                return .wait
            }
            switch next {
            case .work(let work):
                work.perform()
                let time = max(0, now() - begin)
                // This thread takes up what has come for the run meanwhile.
                state.withLock { state in
                    state.crew.end(thread)
                    state.queue.finish(work.id, after: time, quantum: quantum)
                }
            case .wait:
                guard signal.wait(timeout: .now() + Self.patience) == .timedOut else { continue }
                let isOver = state.withLock { state in
                    // One that was just called goes on.
                    guard let index = state.idle.firstIndex(where: { $0 === signal }) else { return false }
                    state.idle.remove(at: index)
                    state.crew.leave()
                    return true
                }
                if isOver { return }
                signal.wait()
            case .end: return
            }
        }
    }
}
