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
/// the threads that answer requests. What a program asks of a run is part of such an answer: one more thread, of the usual priority,
/// does that, and the others help where it is busy.
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
        /// The thread that takes jobs.
        var jobThread: JobThread
        /// A Boolean value that indicates whether a look for threads that are held up is due.
        var isWatched = false

        /// A Boolean value that indicates whether a run waits for a thread.
        var isWaiting: Bool { queue.active > crew.workingCount + (jobThread == .working ? 1 : 0) }
        /// A Boolean value that indicates whether the other threads take jobs too.
        var sharesJobs: Bool { jobThread == .never || jobThread == .working }

        /// Calls the thread that takes jobs, where some wait.
        ///
        /// - Returns: The signal of the thread, and a Boolean value that indicates whether it is to be started.
        mutating func callJobThread() -> (DispatchSemaphore?, isMissing: Bool) {
            guard jobThread == .idle || jobThread == .none, queue.jobCount > 0 else { return (nil, false) }
            defer { jobThread = .called }
            return jobThread == .idle ? (jobSignal, false) : (nil, true)
        }

        let jobSignal = DispatchSemaphore(value: 0)

        /// Returns a Boolean value that indicates whether a look is to be scheduled, since a run waits.
        mutating func watch() -> Bool {
            if isWatched || crew.spareLimit == 0 || !isWaiting { return false }
            isWatched = true
            return true
        }
    }

    /// The state of the thread that takes jobs.
    private enum JobThread {
        /// There is to be none.
        case never
        /// It was not started yet, or has ended.
        case none
        /// It waits.
        case idle
        /// It was called, or is being started.
        case called
        /// It has a job.
        case working
    }

    /// The work of a thread.
    private enum Next {
        case work(RunQueue.Work)
        case wait
        /// The thread ends, and calls another one, which rests.
        case end(calling: DispatchSemaphore?)
    }

    /// The time that a thread waits for work before it ends.
    private static let patience = DispatchTimeInterval.seconds(5)

    /// Makes a scheduler.
    ///
    /// - Parameters:
    ///   - threads: the largest number of threads; the number of processors by default.
    ///   - spareThreads: the most threads beyond them, while some are held up. Where it is 0, no thread of its own takes jobs
    ///     either.
    ///   - quantum: the time that a run works before another has its turn.
    ///   - now: measures the work, in nanoseconds.
    package init(
        threads: Int = ProcessInfo.processInfo.activeProcessorCount,
        spareThreads: Int = 4,
        quantum: Duration = .milliseconds(2),
        now: @escaping @Sendable () -> Int64 = { Int64(DispatchTime.now().uptimeNanoseconds) }
    ) {
        let crew = RunCrew(limit: max(1, threads), spareLimit: max(0, spareThreads))
        state = Locked(State(crew: crew, jobThread: spareThreads > 0 ? .none : .never))
        let (seconds, attoseconds) = quantum.components
        self.quantum = seconds > 1_000_000 ? .max / 4 : max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        self.now = now
    }

    /// A Boolean value that indicates whether no run works or waits for its turn.
    package var isIdle: Bool { state.withLock { $0.queue.isIdle } }

    /// The number of times that work has been handed in: where it is what it was, nothing was begun meanwhile.
    package var workCount: Int { state.withLock { $0.queue.workCount } }

    /// The number of threads that rest, apart from the one that takes jobs.
    var restingCount: Int { state.withLock { $0.idle.count } }

    /// A Boolean value that indicates whether the thread that takes jobs has one.
    var hasJobInHand: Bool { state.withLock { $0.jobThread == .working } }

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
        var (isThreadMissing, isLookDue, isJobThreadMissing) = (false, false, false)
        let waiting = state.withLock { state -> DispatchSemaphore? in
            let isWaiting = work(&state.queue)
            let (called, isMissing) = state.callJobThread()
            isJobThreadMissing = isMissing
            if let called { return called }
            guard isWaiting, !isMissing else { return nil }
            if let waiting = state.idle.popLast() { return waiting }
            isThreadMissing = state.crew.hire(at: now())
            isLookDue = !isThreadMissing && state.watch()
            return nil
        }
        waiting?.signal()
        if isJobThreadMissing { startJobThread() }
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
                // Work that waits was left to this thread: one that rests doesn't know of it.
                if state.crew.dismiss(at: begin) { return .end(calling: state.isWaiting ? state.idle.popLast() : nil) }
                if let work = state.queue.take(on: thread, withJobs: state.sharesJobs) {
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
                // This thread takes up what has come for the run meanwhile, or the one that takes jobs.
                let (called, isMissing) = state.withLock { state in
                    state.crew.end(thread)
                    state.queue.finish(work.id, after: time, quantum: quantum)
                    return state.callJobThread()
                }
                called?.signal()
                if isMissing { startJobThread() }
            case .wait:
                let isOver = rest(signal) { state in
                    guard let index = state.idle.firstIndex(where: { $0 === signal }) else { return false }
                    state.idle.remove(at: index)
                    state.crew.leave()
                    return true
                }
                if isOver { return }
            case .end(let other):
                other?.signal()
                return
            }
        }
    }

    /// Has a thread wait for a call.
    ///
    /// - Parameter leave: A closure that ends the thread in the state, unless it was just called, and returns whether it did.
    /// - Returns: A Boolean value that indicates whether the thread is to end, since nothing has happened for a while.
    private func rest(_ signal: DispatchSemaphore, leaving leave: @Sendable (inout State) -> Bool) -> Bool {
        guard signal.wait(timeout: .now() + Self.patience) == .timedOut else { return false }
        if state.withLock({ leave(&$0) }) { return true }
        // One that was just called goes on.
        signal.wait()
        return false
    }

    // MARK: Jobs

    private func startJobThread() {
        let thread = Thread { [self] in workOnJobs() }
        thread.name = "sluice.jobs"
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Does what programs ask of runs, until nothing happens for a while.
    private func workOnJobs() {
        let thread = ObjectIdentifier(Thread.current)
        let signal = state.withLock { $0.jobSignal }
        while true {
            let begin = now()
            let (work, hasMore) = state.withLock { state in
                let work = state.queue.takeJobs(on: thread)
                state.jobThread = work == nil ? .idle : .working
                return (work, state.queue.jobCount > 0)
            }
            if let work {
                // The others help: this job may take long.
                if hasMore { handIn { $0.jobCount > 0 } }
                work.perform()
                let time = max(0, now() - begin)
                // Another thread takes the turn that the run may want now.
                handIn { queue in
                    queue.finish(work.id, after: time, quantum: quantum)
                    return queue.hasTurns
                }
                continue
            }
            let isOver = rest(signal) { state in
                guard state.jobThread == .idle else { return false }
                state.jobThread = .none
                return true
            }
            if isOver { return }
        }
    }
}
