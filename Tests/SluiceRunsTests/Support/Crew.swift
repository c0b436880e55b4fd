import Foundation
import Sluice
import SluiceStreams

@testable import SluiceRuns

/// Many streams with their supervisors, on one timer that the test moves.
struct Crew {
    let publisher = RecordingPublisher()
    let store: CountingStore
    let environment: RunEnvironment
    let supervisors: [RunSupervisor]
    private let time = ManualTime()
    var timer: ManualTimer { time.timer }

    /// Makes supervisors of streams that do not run yet.
    ///
    /// - Parameter other: a crew that ends here, as a kill ends it: this one has what it has stored, at the same time.
    init(_ texts: [String], settings: RunSettings = RunSettings(), after other: Crew? = nil) async throws {
        store = CountingStore(other.map { MemoryStreamStore(copying: $0.store.base) } ?? MemoryStreamStore())
        time.timer.move(to: other?.timer.now ?? 0)
        environment = time.environment(
            RunScheduler(threads: 1, spareThreads: 0, quantum: .seconds(3600)),
            store,
            publisher,
            settings
        )
        publisher.isSubscribed.withLock { $0 = false }
        var supervisors: [RunSupervisor] = []
        for (index, text) in texts.enumerated() {
            let id = "stream-\(index)"
            if other == nil { try await store.create([StreamDraft(id: id, name: nil, text: text)], by: nil) }
            supervisors.append(RunSupervisor(id, try Supervised.program(text, revision: 1), environment))
        }
        self.supervisors = supervisors
    }

    /// The number of tasks that were begun.
    var taskCount: Int { time.taskCount }

    func start() async throws { for supervisor in supervisors { try await supervisor.start() } }

    func shutDown() async { for supervisor in supervisors { await supervisor.shutDown() } }

    /// Moves the time from call to call for `seconds`.
    func pass(_ seconds: Double) async { await time.pass(seconds, environment.scheduler) }

    /// Moves the time, and waits until no run works: what the store has to do may go on.
    func move(_ nanoseconds: Int64) async {
        timer.move(to: timer.now + nanoseconds)
        while !environment.scheduler.isIdle { await Task.yield() }
    }

    /// Waits until nothing happens any more.
    func settle() async { await time.settle(environment.scheduler) }

    /// The values of a stream's last run, with their numbers.
    func outputs(_ index: Int) async throws -> [String] {
        try await store.outputs(of: "stream-\(index)", run: nil, after: 0, limit: 100_000)
            .map { "\($0.sequence) \($0.text)" }
    }
}
