import Dispatch
import Sluice
import Testing

@testable import SluiceRuns

@Suite struct RunSchedulerTests {
    /// An actor that works whenever it has a turn, and always wants another.
    private actor Busy {
        private let executor: RunExecutor
        nonisolated let turns = Locked(0)
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var isStopped = false
        private var isWorking = false

        init(_ scheduler: RunScheduler) {
            executor = RunExecutor(on: scheduler)
            executor.onTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
            executor.requestTurn()
        }

        private func turn() {
            #expect(!isWorking)
            isWorking = true
            turns.withLock { $0 += 1 }
            isWorking = false
            if !isStopped { executor.requestTurn() }
        }

        func stop() async {
            #expect(!isWorking)
            isStopped = true
            await Task.yield()
            #expect(!isWorking)
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [1, 3])
    func requestsComeBetweenTurnsThatNeverEnd(_ threads: Int) async {
        let scheduler = RunScheduler(threads: threads)
        let actors = (0..<20).map { _ in Busy(scheduler) }
        for actor in actors {
            while actor.turns.withLock({ $0 }) < 100 { await Task.yield() }
        }
        for actor in actors { await actor.stop() }
        while !scheduler.isIdle { await Task.yield() }
    }

    @Test(.timeLimit(.minutes(10))) func aRunThatIsGoneLeavesNothingBehind() async {
        let scheduler = RunScheduler(threads: 2)
        weak var gone: Busy?
        do {
            let actor = Busy(scheduler)
            gone = actor
            await actor.stop()
        }
        while gone != nil || !scheduler.isIdle { await Task.yield() }
    }

    /// An actor whose turn, or job, takes until it is let go.
    private actor Long {
        private let executor: RunExecutor
        private let end = DispatchSemaphore(value: 0)
        nonisolated let hasBegun = Locked(false)
        nonisolated let isDone = Locked(false)
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ scheduler: RunScheduler) {
            executor = RunExecutor(on: scheduler)
            executor.onTurn { [weak self] in self?.assumeIsolated { $0.work() } }
        }

        nonisolated func requestTurn() { executor.requestTurn() }

        func work() {
            hasBegun.withLock { $0 = true }
            end.wait()
            isDone.withLock { $0 = true }
        }

        nonisolated func letGo() { end.signal() }

        func priority() -> Int? { ThreadPriority.current }
    }

    /// A command is part of a request: it does not wait for its share of the processors as turns do.
    @Test(.timeLimit(.minutes(10))) func whatAProgramAsksForHasThePriorityOfRequests() async throws {
        guard let own = ThreadPriority.current else { return }
        let scheduler = RunScheduler(threads: 1)
        let busy = (0..<3).map { _ in Busy(scheduler) }
        for _ in 0..<20 {
            #expect(await Long(scheduler).priority() == own)
            while scheduler.jobsInHandCount > 0 { await Task.yield() }
        }
        for actor in busy { await actor.stop() }
        // A scheduler with one thread carries commands out on that thread.
        let single = RunScheduler(threads: 1, spareThreads: 0)
        #expect(await Long(single).priority() == min(own + ThreadPriority.niceness, 19))
        for scheduler in [scheduler, single] { while !scheduler.isIdle { await Task.yield() } }
    }

    /// The second job thread works while a long job occupies the first. The threads of turns help when both are occupied.
    @Test(.timeLimit(.minutes(10)), arguments: [1, 2]) func jobsDoNotWaitForALongJob(_ longJobs: Int) async {
        let scheduler = RunScheduler(threads: 1, spareThreads: 1)
        let long = (0..<longJobs).map { _ in Long(scheduler) }
        let tasks = long.map { actor in Task { await actor.work() } }
        for actor in long { while !actor.hasBegun.withLock({ $0 }) { await Task.yield() } }
        let own = ThreadPriority.current
        for _ in 0..<20 {
            let priority = await Long(scheduler).priority()
            #expect(priority == own || longJobs == 2)
            while scheduler.jobsInHandCount > longJobs { await Task.yield() }
        }
        #expect(long.allSatisfy { !$0.isDone.withLock { $0 } })
        for actor in long { actor.letGo() }
        for task in tasks { await task.value }
        while !scheduler.isIdle { await Task.yield() }
    }

    /// A thread that is one too many ends, and leaves what waits to one that rests.
    @Test(.timeLimit(.minutes(1))) func aThreadThatEndsLeavesNothingWaiting() async {
        let scheduler = RunScheduler(threads: 1, spareThreads: 1)
        let (first, second) = (Long(scheduler), Long(scheduler))
        first.requestTurn()
        while !first.hasBegun.withLock({ $0 }) { await Task.yield() }
        // A second thread is hired for it.
        second.requestTurn()
        while !second.hasBegun.withLock({ $0 }) { await Task.yield() }
        let begun = scheduler.now()
        while scheduler.now() - begun <= RunCrew.patience { await Task.yield() }
        first.letGo()
        // A thread that rests for some seconds ends, which a busy machine may take.
        while scheduler.restingCount == 0, scheduler.threadCount == 2 { await Task.yield() }
        // It wants another turn at the end of this one.
        second.hasBegun.withLock { $0 = false }
        second.requestTurn()
        second.letGo()
        while !second.hasBegun.withLock({ $0 }) { await Task.yield() }
        second.letGo()
        while !scheduler.isIdle { await Task.yield() }
    }

    /// Work that takes long on all threads: the jobs and the turns of other runs don't wait for it.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true], [false, true])
    func noRunWaitsForTheLongWorkOfOthers(_ isJob: Bool, _ isShortJob: Bool) async {
        let scheduler = RunScheduler(threads: 2, spareThreads: 2)
        let long = (0..<3).map { _ in Long(scheduler) }
        let tasks = long.map { actor in
            isJob ? Task { await actor.work() } : nil
        }
        if !isJob { for actor in long { actor.requestTurn() } }
        for actor in long { while !actor.hasBegun.withLock({ $0 }) { await Task.yield() } }
        let short = Long(scheduler)
        short.letGo()
        if isShortJob { await short.work() } else { short.requestTurn() }
        while !short.isDone.withLock({ $0 }) { await Task.yield() }
        #expect(long.allSatisfy { !$0.isDone.withLock { $0 } })
        for actor in long { actor.letGo() }
        for task in tasks { await task?.value }
        while !scheduler.isIdle { await Task.yield() }
    }
}
