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
}
