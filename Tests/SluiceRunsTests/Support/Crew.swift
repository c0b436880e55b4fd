import Foundation
import Sluice
import SluiceStreams

@testable import SluiceRuns

/// Many streams with their supervisors, on one timer that the test moves.
struct Crew {
    let timer = ManualTimer()
    let publisher = RecordingPublisher()
    let store: CountingStore
    let environment: RunEnvironment
    let supervisors: [RunSupervisor]
    private let work: Work

    private final class Work: Sendable {
        let open = Locked(0)
        let begun = Locked(0)
    }

    /// Makes supervisors of streams that do not run yet.
    ///
    /// - Parameter other: a crew that ends here, as a kill ends it: this one has what it has stored, at the same time.
    init(_ texts: [String], settings: RunSettings = RunSettings(), after other: Crew? = nil) async throws {
        let work = Work()
        store = CountingStore(other.map { MemoryStreamStore(copying: $0.store.memory) } ?? MemoryStreamStore())
        timer.move(to: other?.timer.now ?? 0)
        self.work = work
        environment = RunEnvironment(
            scheduler: RunScheduler(threads: 1, quantum: .seconds(3600)),
            timer: timer,
            store: store,
            publisher: publisher,
            settings: settings,
            wallClock: { [timer] in Date(timeIntervalSince1970: 1_000_000 + Double(timer.now) / 1e9) },
            perform: { body in
                work.open.withLock { $0 += 1 }
                work.begun.withLock { $0 += 1 }
                Task {
                    await body()
                    work.open.withLock { $0 -= 1 }
                }
            }
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
    var taskCount: Int { work.begun.withLock { $0 } }

    func start() async throws { for supervisor in supervisors { try await supervisor.start() } }

    func shutDown() async { for supervisor in supervisors { await supervisor.shutDown() } }

    /// Moves the time from call to call for `seconds`.
    func pass(_ seconds: Double) async {
        let end = timer.now + Int64(seconds * 1e9)
        while true {
            await settle()
            guard let next = timer.next, next <= end else { break }
            timer.move(to: next)
        }
        timer.move(to: end)
        await settle()
    }

    /// Waits until nothing happens any more.
    func settle() async {
        while true {
            let count = environment.scheduler.workCount
            if work.open.withLock({ $0 }) == 0, environment.scheduler.isIdle,
                environment.scheduler.workCount == count, work.open.withLock({ $0 }) == 0
            {
                return
            }
            await Task.yield()
        }
    }

    /// The values of a stream's last run, with their numbers.
    func outputs(_ index: Int) async throws -> [String] {
        try await store.outputs(of: "stream-\(index)", run: nil, after: 0, limit: 100_000)
            .map { "\($0.sequence) \($0.text)" }
    }
}
