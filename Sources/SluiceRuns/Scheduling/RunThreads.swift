import Sluice

/// The runs of a scheduler and its threads: a pure state machine, apart from its lock and the threads themselves.
///
/// Each event returns the threads to call. While a run waits, a thread is on its way, which calls the next one when it comes, or no
/// more can be called: then a look is due soon, for threads that are held up.
///
/// Waking a thread costs as much as a few short turns. So a thread that takes a turn keeps the others that wait for itself where
/// all of them are expected to be short. A look is due soon here too, since a turn may take longer than the last one of its run.
///
/// - Complexity: O(*t* + log *n*) for each event, in the number of threads and of runs that wait.
struct RunThreads {
    /// The threads to call after an event.
    struct Calls {
        /// The signal of a thread that rests.
        fileprivate(set) var thread: ThreadSignal?
        /// A Boolean value that indicates whether another thread is to be started.
        fileprivate(set) var startsThread = false
        /// The signal of a resting job thread.
        fileprivate(set) var jobThread: ThreadSignal?
        /// The number of the job thread to start.
        fileprivate(set) var startedJobThread: Int?
        /// A Boolean value that indicates whether ``RunThreads/look(at:)`` is to be called soon.
        fileprivate(set) var looksSoon = false
    }

    /// The next work of a thread.
    enum Next {
        case work(RunQueue.Work)
        /// The thread rests until it is called.
        ///
        /// - `keepsTimer`: a Boolean value that indicates whether the thread waits for the timer too.
        case rest(keepsTimer: Bool)
        case end
    }

    /// The end of a rest during which nothing happened.
    enum Leave {
        /// The thread ends.
        case ends
        /// It rests on.
        case stays
        /// It was just called.
        case isCalled
    }

    /// The state of a thread that takes jobs.
    private enum JobThread {
        /// It was not started yet, or has ended.
        case none
        case resting
        /// It was called, or is being started.
        case called
        case working
    }

    /// The runs. What adds work for a thread goes through ``handIn(at:_:)``.
    var queue = RunQueue()
    private var crew: RunCrew
    private let quantum: Int64
    /// The threads that rest: the keeper first, then the last to rest last.
    private var resting: [ThreadSignal] = []
    /// A Boolean value that indicates whether the first of the threads that rest is the keeper of the timer.
    private var hasKeeper = false
    /// The number of threads that were called or are being started, and have not come yet.
    private var calledCount = 0
    private var jobThreads: [JobThread]
    /// The signals of the threads that take jobs.
    let jobSignals: [ThreadSignal]
    /// The signal of the keeper while it makes calls of the timer: what they ask for is left to it.
    private var gatherer: ThreadSignal?
    /// A Boolean value that indicates whether a look is due.
    private var isLookDue = false

    /// The time for which turns wait for a thread that works, where others rest, in nanoseconds.
    static let shortTime: Int64 = 250_000

    /// The number of threads that take jobs. A long job, such as restoring a large state, occupies one of them.
    static let jobThreadCount = 2

    /// Makes the state of a scheduler without threads.
    ///
    /// - Parameters:
    ///   - limit: the number of threads that work at the same time while none is held up.
    ///   - spareLimit: the most threads beyond them. Where it is 0, no threads of their own take jobs.
    ///   - quantum: the time that a run works before another has its turn, in nanoseconds.
    init(limit: Int, spareLimit: Int, quantum: Int64) {
        crew = RunCrew(limit: limit, spareLimit: spareLimit)
        jobThreads = Array(repeating: .none, count: spareLimit > 0 ? Self.jobThreadCount : 0)
        jobSignals = jobThreads.map { _ in ThreadSignal() }
        self.quantum = quantum
    }

    /// The number of threads that rest, apart from those that take jobs.
    var restingCount: Int { resting.count }

    /// The number of threads, apart from those that take jobs.
    var threadCount: Int { crew.count }

    /// The number of job threads that work.
    var jobsInHandCount: Int { jobThreads.count { $0 == .working } }

    /// A Boolean value that indicates whether the other threads take jobs too.
    private var sharesJobs: Bool { jobsInHandCount == jobThreads.count }

    /// The number of runs that wait for a thread other than those that take jobs.
    var waitingCount: Int { queue.turnCount + (sharesJobs ? queue.jobCount : 0) }

    // MARK: Events

    /// Takes work that a program or a timer hands in.
    mutating func handIn(at now: @autoclosure () -> Int64, _ work: (inout RunQueue) -> Void) -> Calls {
        work(&queue)
        return call(at: now())
    }

    /// Notes that a thread has come, and gives it work.
    mutating func come(_ thread: ObjectIdentifier, signal: ThreadSignal, at now: Int64) -> (Next, Calls) {
        calledCount -= 1
        if gatherer === signal { gatherer = nil }
        return next(for: thread, signal: signal, at: now)
    }

    /// Notes that a thread has done its work, and gives it more.
    mutating func finish(
        _ work: RunQueue.Work,
        after time: Int64,
        on thread: ObjectIdentifier,
        signal: ThreadSignal,
        at now: Int64
    ) -> (Next, Calls) {
        crew.end(thread)
        queue.finish(work.id, after: time, quantum: quantum)
        return next(for: thread, signal: signal, at: now)
    }

    private mutating func next(
        for thread: ObjectIdentifier,
        signal: ThreadSignal,
        at now: Int64
    ) -> (Next, Calls) {
        let next: Next
        if crew.dismiss(at: now) {
            next = .end
        } else if let work = queue.take(on: thread, withJobs: sharesJobs) {
            crew.begin(thread, at: now)
            next = .work(work)
        } else {
            next = .rest(keepsTimer: !hasKeeper)
            resting.insert(signal, at: hasKeeper ? resting.endIndex : 0)
            hasKeeper = true
        }
        // A run that waits may have been left to this thread: no other thread knows of it.
        if case .work(let work) = next, keepsTurns(after: work) { return (next, lookSoon()) }
        return (next, call(at: now))
    }

    /// Notes that the keeper has seen alarms that are due, and will come after it has dealt with them.
    ///
    /// The turns that the alarms ask for are left to the keeper until it comes.
    ///
    /// - Returns: A Boolean value that indicates whether it wasn't called meanwhile.
    mutating func wakeKeeper(_ signal: ThreadSignal) -> Bool {
        guard hasKeeper, resting.first === signal else { return false }
        resting.removeFirst()
        hasKeeper = false
        calledCount += 1
        gatherer = signal
        return true
    }

    /// Ends a thread that has rested for long. The keeper stays while others rest.
    mutating func leave(_ signal: ThreadSignal) -> Leave {
        guard let index = resting.firstIndex(where: { $0 === signal }) else { return .isCalled }
        let isKeeper = hasKeeper && index == 0
        if isKeeper, resting.count > 1 { return .stays }
        resting.remove(at: index)
        if isKeeper { hasKeeper = false }
        crew.leave()
        return .ends
    }

    /// Finds a thread for a run that waits while others are held up.
    mutating func look(at now: Int64) -> Calls {
        isLookDue = false
        return call(at: now)
    }

    // MARK: Jobs

    /// Gives a thread that takes jobs its next work.
    ///
    /// - Parameters:
    ///   - number: the number of the thread.
    ///   - done: the work that it has done; `nil` where it has just come.
    ///   - time: the time that the work took.
    mutating func nextJobs(
        _ number: Int,
        after done: RunQueue.Work?,
        of time: Int64,
        on thread: ObjectIdentifier,
        at now: Int64
    ) -> (RunQueue.Work?, Calls) {
        if let done { queue.finish(done.id, after: time, quantum: quantum) }
        let work = queue.takeJobs(on: thread)
        jobThreads[number] = work == nil ? .resting : .working
        return (work, call(at: now))
    }

    /// Ends a thread that takes jobs where it has rested for long.
    mutating func leaveJobs(_ number: Int) -> Leave {
        guard jobThreads[number] == .resting else { return .isCalled }
        jobThreads[number] = .none
        return .ends
    }

    // MARK: Calls

    /// Calls threads for the runs that wait: one that takes jobs, and one of the others, which calls the next when it comes.
    private mutating func call(at now: @autoclosure () -> Int64) -> Calls {
        var calls = Calls()
        if queue.jobCount > jobThreads.count(where: { $0 == .called }) {
            if let number = jobThreads.firstIndex(of: .resting) {
                calls.jobThread = jobSignals[number]
                jobThreads[number] = .called
            } else if let number = jobThreads.firstIndex(of: .none) {
                calls.startedJobThread = number
                jobThreads[number] = .called
            }
        }
        guard waitingCount > calledCount, gatherer == nil else { return calls }
        if let thread = resting.popLast() {
            calls.thread = thread
            calledCount += 1
            // The keeper is called last.
            if resting.isEmpty { hasKeeper = false }
        } else if crew.hire(at: now()) {
            calls.startsThread = true
            calledCount += 1
        } else if crew.spareLimit > 0 {
            calls.looksSoon = lookSoon().looksSoon
        }
        return calls
    }

    /// Returns a Boolean value that indicates whether a thread has all turns that wait, since they are short.
    private func keepsTurns(after work: RunQueue.Work) -> Bool {
        queue.turnCount > 0 && queue.jobCount == 0 && work.expectedTime + queue.expectedTime <= Self.shortTime
    }

    private mutating func lookSoon() -> Calls {
        var calls = Calls()
        calls.looksSoon = !isLookDue
        isLookDue = true
        return calls
    }
}
