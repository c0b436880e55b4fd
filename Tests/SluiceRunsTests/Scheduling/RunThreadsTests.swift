import Sluice
import SluiceTestSupport
import Testing

@testable import SluiceRuns

/// Random events of programs, runs, and threads in all orders, on the state machine alone.
@Suite struct RunThreadsTests {
    /// A thread of the model, which comes after it was called, and works until it finishes.
    private final class ModelThread {
        let signal: ThreadSignal
        var state = State.coming

        enum State { case coming, working(RunQueue.Work, since: Int64), resting(keepsTimer: Bool) }

        /// The identity of the thread and of its copies.
        var id: ObjectIdentifier { ObjectIdentifier(signal) }

        init(_ signal: ThreadSignal = ThreadSignal()) { self.signal = signal }

        func copy() -> ModelThread {
            let copy = ModelThread(signal)
            copy.state = state
            return copy
        }

        var work: RunQueue.Work? { if case .working(let work, _) = state { work } else { nil } }
        var isComing: Bool { if case .coming = state { true } else { false } }
        var isResting: Bool { if case .resting = state { true } else { false } }
        var isKeeper: Bool { if case .resting(keepsTimer: true) = state { true } else { false } }
    }

    /// The threads of a scheduler, as the state machine calls them.
    private struct Model {
        var now: Int64 = 0
        var machine: RunThreads
        var threads: [ModelThread] = []
        var jobThreads: [Int: ModelThread] = [:]
        var isLookDue = false
        /// A Boolean value that indicates whether a thread was one too many.
        var hasDismissed = false
        let executors: [RunExecutor]
        let ids: [Int]
        let job: UnownedJob

        init(threads: Int, spareThreads: Int, runs: Int, job: UnownedJob) {
            let scheduler = RunScheduler(threads: 1)
            var machine = RunThreads(limit: threads, spareLimit: spareThreads, quantum: 2)
            executors = (0..<runs).map { _ in RunExecutor(on: scheduler) }
            ids = executors.map { executor in
                let id = machine.queue.nextID()
                machine.queue.add(executor, id)
                return id
            }
            (self.machine, self.job) = (machine, job)
        }

        mutating func call(_ calls: RunThreads.Calls) {
            if let signal = calls.thread, let thread = threads.first(where: { $0.signal === signal }) {
                #expect(!thread.isKeeper || restingCount == 1)
                thread.state = .coming
            }
            if calls.startsThread { threads.append(ModelThread()) }
            if let signal = calls.jobThread { jobThreads.values.first { $0.signal === signal }?.state = .coming }
            if let number = calls.startedJobThread {
                #expect(jobThreads[number] == nil)
                jobThreads[number] = ModelThread(machine.jobSignals[number])
            }
            if calls.looksSoon {
                #expect(!isLookDue)
                isLookDue = true
            }
        }

        mutating func requestTurn(_ run: Int) {
            call(machine.handIn(at: now) { [ids] in $0.requestTurn(ids[run]) })
        }

        mutating func addJob(_ run: Int) {
            call(machine.handIn(at: now) { [ids, job, executors] in $0.add(job, for: executors[run], ids[run]) })
        }

        /// Moves a thread on: one that was called comes, one that works finishes, one that rests ends.
        mutating func move(_ thread: ModelThread) {
            let (id, signal) = (thread.id, thread.signal)
            let (next, calls): (RunThreads.Next, RunThreads.Calls)
            switch thread.state {
            case .coming: (next, calls) = machine.come(id, signal: signal, at: now)
            case .working(let work, let begun):
                (next, calls) = machine.finish(work, after: now - begun, on: id, signal: signal, at: now)
            case .resting:
                // The keeper stays while others rest.
                let stays = thread.isKeeper && restingCount > 1
                let leave = machine.leave(signal)
                #expect(leave == (stays ? .stays : .ends))
                if !stays { threads.removeAll { $0 === thread } }
                return
            }
            switch next {
            case .work(let work): thread.state = .working(work, since: now)
            case .rest(let keepsTimer):
                #expect(keepsTimer == !threads.contains(where: \.isKeeper))
                thread.state = .resting(keepsTimer: keepsTimer)
            case .end:
                hasDismissed = true
                threads.removeAll { $0 === thread }
            }
            call(calls)
        }

        mutating func moveJobThread(_ number: Int) {
            guard let thread = jobThreads[number] else { return }
            let done = thread.work
            if thread.isResting {
                let leave = machine.leaveJobs(number)
                #expect(leave == .ends)
                jobThreads[number] = nil
                return
            }
            let (next, calls) = machine.nextJobs(number, after: done, of: 1, on: thread.id, at: now)
            thread.state = next.map { .working($0, since: now) } ?? .resting(keepsTimer: false)
            call(calls)
        }

        /// An alarm is due: the keeper makes its call, which asks for turns, and comes.
        mutating func wakeKeeper(for runs: [Int]) {
            guard let thread = threads.first(where: \.isKeeper) else { return }
            let isKeeper = machine.wakeKeeper(thread.signal)
            let isCalled = !machine.wakeKeeper(thread.signal)
            #expect(isKeeper && isCalled)
            thread.state = .coming
            let comingCount = threads.count(where: \.isComing)
            for run in runs { requestTurn(run) }
            // No thread is called for them before the keeper has come.
            #expect(threads.count(where: \.isComing) == comingCount)
        }

        var restingCount: Int { threads.count(where: \.isResting) }

        mutating func look() {
            guard isLookDue else { return }
            isLookDue = false
            call(machine.look(at: now))
        }

        /// Has all threads come that were called; none finishes its work.
        mutating func come() {
            while true {
                if let thread = threads.first(where: \.isComing) {
                    move(thread)
                } else if let number = jobThreads.first(where: \.value.isComing)?.key {
                    moveJobThread(number)
                } else {
                    return
                }
            }
        }

        var runsThatWork: [Int] { (threads + jobThreads.values).compactMap(\.work?.id) }
    }

    /// Hands the model a job that is never run by it.
    private func job(_ body: (UnownedJob) -> Void) async {
        actor Keeper {
            private final class Executor: SerialExecutor {
                let job = Locked<UnownedJob?>(nil)
                func enqueue(_ job: UnownedJob) { self.job.withLock { $0 = job } }
                func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
            }
            private let executor = Executor()
            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
            func work() {}
            nonisolated func take() -> UnownedJob? { executor.job.withLock { $0 } }
            nonisolated func run(_ job: UnownedJob) { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
        }
        let keeper = Keeper()
        let task = Task { await keeper.work() }
        while true {
            if let job = keeper.take() {
                body(job)
                keeper.run(job)
                break
            }
            await Task.yield()
        }
        await task.value
    }

    /// Once the called threads have come, a run waits only while all threads work, or while a thread works that has kept short
    /// turns for itself. Then a look is due, and looks alone find it a thread, as long as there are spare ones. When all threads
    /// go on, everything is done.
    @Test(arguments: [1, 2, 3], [0, 1, 3]) func noRunWaitsWhileAThreadRests(_ threads: Int, _ spares: Int) async {
        await job { job in
            for round in 0..<100 {
                var random = Seeded(seed: UInt64(round))
                var model = Model(threads: threads, spareThreads: spares, runs: 6, job: job)
                for _ in 0..<60 {
                    let run = Int.random(in: 0..<6, using: &random)
                    switch Int.random(in: 0..<11, using: &random) {
                    case 0...1: model.requestTurn(run)
                    case 2...3: model.addJob(run)
                    case 4: model.now += Int64.random(in: 1...2, using: &random) * RunCrew.patience
                    case 5: model.look()
                    case 10: model.wakeKeeper(for: [run, Int.random(in: 0..<6, using: &random)])
                    case 6...8: if let thread = model.threads.randomElement(using: &random) { model.move(thread) }
                    default: model.moveJobThread(Int.random(in: 0..<RunThreads.jobThreadCount, using: &random))
                    }
                    var settled = model
                    // The threads of the model are shared by its copies.
                    settled.threads = model.threads.map { $0.copy() }
                    settled.jobThreads = model.jobThreads.mapValues { $0.copy() }
                    check(&settled, threads, spares, "round \(round)")
                }
            }
        }
    }

    private func check(_ model: inout Model, _ threads: Int, _ spares: Int, _ round: String) {
        model.come()
        #expect(Set(model.runsThatWork).count == model.runsThatWork.count, "\(round)")
        var working: Int { model.threads.count { $0.work != nil } }
        #expect(working <= threads + spares)
        if model.machine.waitingCount > 0 {
            let queue = model.machine.queue
            let areShort = queue.expectedTime <= RunThreads.shortTime
            let allWork = working == model.threads.count && working >= threads
            #expect(allWork || areShort && working > 0 && model.isLookDue, "\(round)")
            #expect(allWork && spares == 0 || model.isLookDue, "\(round)")
        }
        if model.machine.queue.jobCount > 0, spares > 0 {
            let count = model.jobThreads.values.count { $0.work != nil }
            #expect(count == RunThreads.jobThreadCount, "\(round)")
        }
        // All are held up.
        for _ in 0...(threads + spares) {
            model.now += 2 * RunCrew.patience
            model.look()
            model.come()
        }
        #expect(model.machine.waitingCount == 0 || working == threads + spares, "\(round)")
        for _ in 0..<100 where !model.machine.queue.isIdle {
            for thread in model.threads where !thread.isResting { model.move(thread) }
            for (number, thread) in model.jobThreads where !thread.isResting { model.moveJobThread(number) }
            model.come()
        }
        let queue = model.machine.queue
        #expect(queue.isIdle && queue.expectedTime == 0, "\(round)")
        // Of the threads that rest, one keeps the timer, unless the keeper was one too many and has ended.
        let isKept = model.threads.contains(where: \.isKeeper)
        #expect(isKept || model.restingCount == 0 || model.hasDismissed, "\(round)")
    }
}
