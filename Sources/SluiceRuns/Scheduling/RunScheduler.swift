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
/// One thread that rests waits for the next alarm of the timer, and does what the alarm asks for itself: most runs that tick cost
/// one wake of one thread.
///
/// Threads are started when they are needed, and end when nothing happens for a while. Their priority is lower than that of
/// the threads that answer requests. Two more threads, at the usual priority, carry out the jobs that a program submits, since
/// requests wait for these. The other threads help when both are busy.
package final class RunScheduler: Sendable {
    /// The time that a run works before another has its turn, in nanoseconds.
    package let quantum: Int64
    /// Returns the time that work is measured with, in nanoseconds.
    package let now: @Sendable () -> Int64
    private let state: Locked<RunThreads>
    private let timer: ThreadTimer?
    /// Looks for threads that are held up.
    private let watch = DispatchQueue(label: "sluice.runs.watch")

    /// The time that a thread waits for work before it ends, in nanoseconds.
    private static let patience: Int64 = 5_000_000_000

    /// Makes a scheduler.
    ///
    /// - Parameters:
    ///   - threads: the largest number of threads; the number of processors by default.
    ///   - spareThreads: the most threads beyond them, while some are held up. Where it is 0, no threads of their own take jobs
    ///     either.
    ///   - quantum: the time that a run works before another has its turn.
    ///   - timer: the timer whose calls the threads make.
    ///   - now: measures the work, in nanoseconds.
    package init(
        threads: Int = ProcessInfo.processInfo.activeProcessorCount,
        spareThreads: Int = 4,
        quantum: Duration = .milliseconds(2),
        timer: ThreadTimer? = nil,
        now: @escaping @Sendable () -> Int64 = { Int64(DispatchTime.now().uptimeNanoseconds) }
    ) {
        let (seconds, attoseconds) = quantum.components
        self.quantum = seconds > 1_000_000 ? .max / 4 : max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        self.now = now
        self.timer = timer
        state = Locked(RunThreads(limit: max(1, threads), spareLimit: max(0, spareThreads), quantum: self.quantum))
    }

    /// A Boolean value that indicates whether no run works or waits for its turn.
    package var isIdle: Bool { state.withLock { $0.queue.isIdle } }

    /// The number of times that work has been handed in: where it is what it was, nothing was begun meanwhile.
    package var workCount: Int { state.withLock { $0.queue.workCount } }

    /// The number of threads that rest, apart from those that take jobs.
    var restingCount: Int { state.withLock { $0.restingCount } }

    /// The number of threads, apart from those that take jobs.
    var threadCount: Int { state.withLock { $0.threadCount } }

    /// The number of job threads that work.
    var jobsInHandCount: Int { state.withLock { $0.jobsInHandCount } }

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

    private func handIn(_ work: (inout RunQueue) -> Void) {
        call(state.withLock { $0.handIn(at: now(), work) })
    }

    private func call(_ calls: RunThreads.Calls) {
        calls.jobThread?.call()
        calls.thread?.call()
        if let number = calls.startedJobThread { startJobThread(number) }
        if calls.startsThread { startThread() }
        guard calls.looksSoon else { return }
        watch.asyncAfter(deadline: .now() + .nanoseconds(Int(RunCrew.patience))) { [weak self] in
            guard let self else { return }
            call(state.withLock { $0.look(at: now()) })
        }
    }

    private func startThread() {
        Thread.start("sluice.runs", isDeep: true, isBehindRequests: true) { [self] in work() }
    }

    /// Works until nothing happens for a while.
    private func work() {
        ThreadPriority.lower()
        let thread = ObjectIdentifier(Thread.current)
        let signal = ThreadSignal()
        var begin = now()
        var (next, calls) = state.withLock { $0.come(thread, signal: signal, at: begin) }
        while true {
            call(calls)
            switch next {
            case .work(let work):
                work.perform()
                let end = now()
                callDue()
                // This thread takes up what has come for the run meanwhile, or one that takes jobs.
                (next, calls) = state.withLock {
                    $0.finish(work, after: max(0, end - begin), on: thread, signal: signal, at: end)
                }
                begin = end
            case .rest(let keepsTimer):
                if keepsTimer ? keep(signal) : rest(signal, leaving: { $0.leave(signal) }) {
                    timer?.noteEnd(of: signal)
                    return
                }
                begin = now()
                (next, calls) = state.withLock { $0.come(thread, signal: signal, at: begin) }
            case .end:
                timer?.noteEnd(of: signal)
                return
            }
        }
    }

    /// Has a thread wait for a call.
    ///
    /// - Parameter leave: A closure that ends the thread in the state if it can.
    /// - Returns: A Boolean value that indicates whether the thread is to end, since nothing has happened for a while.
    private func rest(_ signal: ThreadSignal, leaving leave: (inout RunThreads) -> RunThreads.Leave) -> Bool {
        while true {
            switch signal.wait(Self.patience) {
            case .called: return false
            case .reminded: continue
            case .timedOut: if let ends = end(signal, leave) { return ends }
            }
        }
    }

    /// Has a thread wait for a call, and for the timer: it makes the timer's calls when they are due.
    ///
    /// - Returns: A Boolean value that indicates whether the thread is to end, since nothing has happened for a while.
    private func keep(_ signal: ThreadSignal) -> Bool {
        guard let timer else { return rest(signal) { $0.leave(signal) } }
        while true {
            let wait = timer.keep(with: signal, atMost: Self.patience)
            switch signal.wait(wait) {
            case .called:
                timer.release()
                return false
            case .reminded: continue
            case .timedOut: break
            }
            let due = timer.takeDue()
            if !due.isEmpty {
                let isCalled = !state.withLock { $0.wakeKeeper(signal) }
                for call in due { call() }
                if isCalled { signal.waitForCall() }
                return false
            }
            if wait == Self.patience, let ends = end(signal, { $0.leave(signal) }) { return ends }
        }
    }

    /// Ends the rest of a thread during which nothing has happened.
    ///
    /// - Returns: A Boolean value that indicates whether the thread is to end; `nil` where it rests on.
    private func end(_ signal: ThreadSignal, _ leave: (inout RunThreads) -> RunThreads.Leave) -> Bool? {
        switch state.withLock({ leave(&$0) }) {
        case .ends: return true
        case .stays: return nil
        case .isCalled:
            signal.waitForCall()
            return false
        }
    }

    /// Makes the timer's calls that came due while this thread worked.
    private func callDue() {
        guard let timer else { return }
        for call in timer.takeOverdue() { call() }
    }

    // MARK: Jobs

    private func startJobThread(_ number: Int) {
        Thread.start("sluice.jobs", isDeep: true) { [self] in workOnJobs(number) }
    }

    /// Does what programs ask of runs, until nothing happens for a while.
    private func workOnJobs(_ number: Int) {
        let thread = ObjectIdentifier(Thread.current)
        let signal = state.withLock { $0.jobSignals[number] }
        var (done, time): (RunQueue.Work?, Int64) = (nil, 0)
        var begin = now()
        while true {
            // Other threads take what waits besides, and the turn that the run may want now.
            let (next, calls) = state.withLock { $0.nextJobs(number, after: done, of: time, on: thread, at: begin) }
            call(calls)
            done = next
            if let next {
                next.perform()
                let end = now()
                (time, begin) = (max(0, end - begin), end)
            } else {
                if rest(signal, leaving: { $0.leaveJobs(number) }) { return }
                begin = now()
            }
        }
    }
}
