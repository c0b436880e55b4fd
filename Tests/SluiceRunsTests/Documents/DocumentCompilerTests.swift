import Dispatch
import Sluice
import SluiceRuns
import SluiceStreams
import Testing

/// The queues of the compiler: which work waits for which.
@Suite(.timeLimit(.minutes(20))) struct DocumentCompilerTests {
    /// A kind of work.
    enum Work: CaseIterable {
        case small, large, background

        func perform(on compiler: DocumentCompiler, _ body: @escaping @Sendable () -> Void) async throws {
            let size = self == .small ? 10 : 1 << 20
            try await DocumentCompiler.$isInBackground.withValue(self == .background) {
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
}
