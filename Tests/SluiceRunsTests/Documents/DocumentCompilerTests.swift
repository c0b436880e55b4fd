import Dispatch
import Sluice
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The queues of the compiler: which work waits for which.
@Suite(.timeLimit(.minutes(20))) struct DocumentCompilerTests {
    /// A kind of work.
    enum Work: CaseIterable {
        case small, large, background

        func perform(on compiler: DocumentCompiler, _ body: @escaping @Sendable () -> Void) async throws {
            let size = self == .small ? 10 : 1 << 20
            try await DocumentCompiler.$background.withValue(self == .background ? BackgroundWork() : nil) {
                try await compiler.perform(size: size, body)
            }
        }
    }

    /// All pairs of kinds: work that takes long holds up no work of another kind.
    @Test(arguments: Work.allCases, Work.allCases)
    func noKindWaitsForAnother(_ long: Work, _ short: Work) async throws {
        if long == short { return }
        let compiler = DocumentCompiler()
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let end = DispatchSemaphore(value: 0)
        async let slow: Void = long.perform(on: compiler) {
            continuation.yield()
            end.wait()
        }
        for await _ in begun { break }
        // It would wait forever behind the work that has begun.
        try await short.perform(on: compiler) {}
        end.signal()
        try await slow
    }

    /// Work whose caller is canceled before its turn is not done.
    @Test(arguments: Work.allCases) func canceledWorkIsNotDone(_ work: Work) async throws {
        let compiler = DocumentCompiler()
        let isDone = Locked(false)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await work.perform(on: compiler) { isDone.withLock { $0 = true } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!isDone.withLock { $0 })
    }

    /// The documents of runs that resume wait in the background. When a request comes to wait for one of them, it overtakes
    /// the others: the first of them has begun, and never ends before.
    @Test(arguments: [10, 1 << 20]) func workThatARequestWaitsForOvertakes(_ size: Int) async throws {
        let compiler = DocumentCompiler()
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let end = DispatchSemaphore(value: 0)
        async let first: Void = Work.background.perform(on: compiler) {
            continuation.yield()
            end.wait()
        }
        for await _ in begun { break }
        let done = Noted()
        let order = ["other", "asked for"]
        let works = order.map { _ in BackgroundWork() }
        try await withThrowingTaskGroup { group in
            for (name, work) in zip(order, works) {
                group.addTask {
                    try await DocumentCompiler.$background.withValue(work) {
                        for _ in 0..<2 { try await compiler.perform(size: size) { done.add(name) } }
                    }
                }
            }
            // Before or after its jobs are handed in.
            works[1].hasten()
            while done.names.count < 2 { await Task.yield() }
            #expect(done.names == ["asked for", "asked for"])
            end.signal()
            try await group.waitForAll()
        }
        try await first
        #expect(done.names == ["asked for", "asked for", "other", "other"])
    }

    /// A job that waits is done once, also where it is hastened.
    @Test func hastenedWorkIsDoneOnce() async throws {
        let compiler = DocumentCompiler()
        let done = Noted()
        for _ in 0..<200 {
            let work = BackgroundWork()
            async let job: Void = DocumentCompiler.$background.withValue(work) {
                try await compiler.perform(size: 10) { done.add("job") }
            }
            work.hasten()
            work.hasten()
            try await job
        }
        try await Work.background.perform(on: compiler) {}
        #expect(done.names.count == 200)
    }

    /// Runs that never rest, and work in the background, leave the processors to requests.
    @Test func workOfRunsHasALowerPriority() async throws {
        guard let own = ThreadPriority.current else { return }
        let found = Locked<[Int?]>([])
        try await Work.background.perform(on: DocumentCompiler()) {
            found.withLock { $0.append(ThreadPriority.current) }
        }
        let executor = RunExecutor(on: RunScheduler(threads: 1))
        let (turns, continuation) = AsyncStream<Void>.makeStream()
        executor.onTurn {
            found.withLock { $0.append(ThreadPriority.current) }
            continuation.yield()
        }
        executor.requestTurn()
        for await _ in turns { break }
        let lowered = min(own + ThreadPriority.niceness, 19)
        #expect(found.withLock { $0 } == [lowered, lowered])
    }

    /// The names of the jobs that were done, in their order.
    private final class Noted: Sendable {
        private let list = Locked<[String]>([])

        var names: [String] { list.withLock { $0 } }

        func add(_ name: String) { list.withLock { $0.append(name) } }
    }
}
