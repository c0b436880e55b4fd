import Sluice

/// The order in which runs work: a pure state machine, apart from the threads that drive it.
///
/// A run is in one state at a time: it rests, waits with jobs, waits for a turn, or works. Jobs are what a program asks of
/// the run, and come first; turns go to the run that has worked the least. One that has rested is not given credit for
/// it, but for one quantum.
///
/// - Complexity: O(log *n*) in the number of runs that wait.
struct RunQueue {
    /// The next work of a thread.
    struct Work: Sendable {
        let id: Int
        let executor: RunExecutor
        /// The jobs to run; none for a turn.
        let jobs: [UnownedJob]
        let turn: (@Sendable () -> Void)?
        /// The time that it is expected to take, in nanoseconds: that of the run's last turn.
        let expectedTime: Int64

        /// Runs the jobs, or has the turn.
        func perform() {
            let executor = executor.asUnownedSerialExecutor()
            for job in jobs { job.runSynchronously(on: executor) }
            if jobs.isEmpty { turn?() }
        }
    }

    private enum State { case resting, jobs, turns, working }

    private struct Slot {
        weak var executor: RunExecutor?
        var turn: (@Sendable () -> Void)?
        /// Keeps the executor while jobs wait for it.
        var kept: RunExecutor?
        var jobs: [UnownedJob] = []
        var wantsTurn = false
        var state = State.resting
        /// Tells an entry of the heap from one that is out of date.
        var ticket = 0
        /// The time for which it has worked, in nanoseconds; one that has rested catches up with the others.
        var used: Int64 = 0
        /// The time of its last turn, in nanoseconds.
        var turnTime = RunQueue.unknownTime
        /// A Boolean value that indicates whether it works on a turn, and not on jobs.
        var hasTurn = false
        /// The thread that works on it.
        var thread: ObjectIdentifier?
    }

    private var slots: [Int: Slot] = [:]
    private var lastID = 0
    private var lastTicket = 0
    /// Runs with jobs, in the order in which they came.
    private var jobs = Deque<(id: Int, ticket: Int)>()
    private var turns = Heap<WaitingTurn>()
    /// The least that any run which waits for a turn has used, as far as known.
    private var floor: Int64 = 0
    /// The number of runs that do not rest: they wait or work.
    private(set) var active = 0
    /// The number of times that jobs came first in a row.
    private var jobsInARow = 0
    /// The number of times that work was submitted.
    private(set) var workCount = 0

    /// The number of times in a row that jobs come before turns.
    private static let jobsPerTurn = 16
    /// The time that jobs, and the first turn of a run, are expected to take, in nanoseconds.
    static let unknownTime: Int64 = 1_000_000

    /// A Boolean value that indicates whether no run works or waits.
    var isIdle: Bool { active == 0 }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    mutating func add(_ executor: RunExecutor, _ id: Int) { slots[id] = Slot(executor: executor) }

    mutating func remove(_ id: Int) {
        guard let slot = slots.removeValue(forKey: id), slot.state != .resting else { return }
        active -= 1
        if slot.state == .jobs { jobCount -= 1 }
        if slot.state == .turns { leaveTurns(slot) }
    }

    mutating func setTurn(_ id: Int, _ body: @escaping @Sendable () -> Void) { slots[id]?.turn = body }

    func isRunning(_ id: Int, on thread: ObjectIdentifier) -> Bool { slots[id]?.thread == thread }

    /// Adds a job of a run.
    mutating func add(_ job: UnownedJob, for executor: RunExecutor, _ id: Int) {
        workCount += 1
        slots[id]?.jobs.append(job)
        slots[id]?.kept = executor
        guard let state = slots[id]?.state, state == .resting || state == .turns else { return }
        if state == .resting { active += 1 }
        waitWithJobs(id)
    }

    /// Records that a run wants a turn.
    mutating func requestTurn(_ id: Int) {
        guard let slot = slots[id], !slot.wantsTurn else { return }
        workCount += 1
        slots[id]?.wantsTurn = true
        guard slot.state == .resting else { return }
        active += 1
        waitForTurn(id)
    }

    /// The number of runs that wait with jobs.
    private(set) var jobCount = 0

    /// The number of runs that wait for a turn.
    private(set) var turnCount = 0

    /// The time that the turns of the runs that wait for one are expected to take, in nanoseconds.
    private(set) var expectedTime: Int64 = 0

    /// Takes what comes next, for a thread.
    ///
    /// - Parameter withJobs: A Boolean value that indicates whether the thread takes jobs, and not only turns.
    mutating func take(on thread: ObjectIdentifier, withJobs: Bool = true) -> Work? {
        if withJobs, jobsInARow < Self.jobsPerTurn || turns.isEmpty, let work = takeJobs(on: thread) {
            jobsInARow += 1
            return work
        }
        jobsInARow = 0
        while let first = turns.popFirst() {
            let (id, ticket, used) = (first.id, first.ticket, first.used)
            guard let slot = slots[id], slot.state == .turns, slot.ticket == ticket else { continue }
            guard let executor = slot.executor else {
                remove(id)
                continue
            }
            floor = max(floor, used)
            slots[id]?.wantsTurn = false
            begin(id, on: thread)
            slots[id]?.hasTurn = true
            return Work(id: id, executor: executor, jobs: [], turn: slot.turn, expectedTime: slot.turnTime)
        }
        return withJobs ? takeJobs(on: thread) : nil
    }

    /// Takes the jobs of the run that has waited with them the longest, for a thread.
    mutating func takeJobs(on thread: ObjectIdentifier) -> Work? {
        while let (id, ticket) = jobs.popFirst() {
            guard let slot = slots[id], slot.state == .jobs, slot.ticket == ticket, let executor = slot.kept
            else { continue }
            slots[id]?.jobs = []
            slots[id]?.kept = nil
            begin(id, on: thread)
            return Work(id: id, executor: executor, jobs: slot.jobs, turn: nil, expectedTime: Self.unknownTime)
        }
        return nil
    }

    private mutating func begin(_ id: Int, on thread: ObjectIdentifier) {
        if slots[id]?.state == .jobs { jobCount -= 1 }
        if let slot = slots[id], slot.state == .turns { leaveTurns(slot) }
        slots[id]?.state = .working
        slots[id]?.thread = thread
        slots[id]?.hasTurn = false
    }

    /// Notes that a run has worked for `time` nanoseconds; it waits again where there is more to do.
    mutating func finish(_ id: Int, after time: Int64, quantum: Int64) {
        guard let slot = slots[id] else { return }
        slots[id]?.thread = nil
        slots[id]?.used = max(slot.used, floor - quantum) + time
        if slot.hasTurn { slots[id]?.turnTime = time }
        if !slot.jobs.isEmpty {
            waitWithJobs(id)
        } else if slot.wantsTurn {
            waitForTurn(id)
        } else {
            slots[id]?.state = .resting
            active -= 1
        }
    }

    private mutating func waitWithJobs(_ id: Int) {
        lastTicket += 1
        if let slot = slots[id], slot.state == .turns { leaveTurns(slot) }
        if slots[id].map({ $0.state != .jobs }) ?? false { jobCount += 1 }
        slots[id]?.state = .jobs
        slots[id]?.ticket = lastTicket
        jobs.append((id, lastTicket))
    }

    private mutating func waitForTurn(_ id: Int) {
        lastTicket += 1
        turnCount += 1
        expectedTime += slots[id]?.turnTime ?? 0
        slots[id]?.state = .turns
        slots[id]?.ticket = lastTicket
        turns.insert(WaitingTurn(id: id, ticket: lastTicket, used: slots[id]?.used ?? 0))
    }

    private mutating func leaveTurns(_ slot: Slot) {
        turnCount -= 1
        expectedTime -= slot.turnTime
    }
}

/// A run that waits for a turn: the one that has worked the least first, then the one that came first.
private struct WaitingTurn: HeapElement {
    let id: Int
    let ticket: Int
    let used: Int64

    func precedes(_ other: WaitingTurn) -> Bool { (used, ticket) < (other.used, other.ticket) }
}
