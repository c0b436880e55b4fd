import Foundation
import Sluice
import SluiceJSON
import SluiceStreams

@testable import SluiceRuns

/// A stream with its supervisor, on a timer that the test moves.
struct Supervised {
    let publisher = RecordingPublisher()
    let store: MemoryStreamStore
    let environment: RunEnvironment
    let supervisor: RunSupervisor
    let time = ManualTime()
    var timer: ManualTimer { time.timer }

    init(
        _ text: String,
        quantum: Duration = .seconds(3600),
        settings: RunSettings = RunSettings(),
        publisher subscriber: (any RunPublisher)? = nil,
        store given: MemoryStreamStore? = nil,
        now: (@Sendable () -> Int64)? = nil
    ) async throws {
        store = given ?? MemoryStreamStore()
        environment = time.environment(
            now.map { RunScheduler(threads: 1, spareThreads: 0, quantum: quantum, now: $0) }
                ?? RunScheduler(threads: 1, spareThreads: 0, quantum: quantum),
            store,
            subscriber ?? publisher,
            settings
        )
        if given == nil { try await store.create([StreamDraft(id: "a", name: nil, text: text)], by: nil) }
        supervisor = RunSupervisor("a", try Self.program(text, revision: 1), environment)
    }

    static func program(_ text: String, revision: Int) throws -> RunProgram {
        RunProgram(document: try StreamDocument(parsing: text), revision: revision, library: StreamLibrary())
    }

    /// Moves the time from call to call for `seconds`.
    func pass(_ seconds: Double) async { await time.pass(seconds, environment.scheduler) }

    /// Waits until nothing happens any more.
    func settle() async { await time.settle(environment.scheduler) }

    /// The outputs of the last run: the sequence, the time, and the text.
    func outputs() async throws -> [String] {
        await supervisor.save()
        return try await store.outputs(of: "a", run: nil, after: 0, limit: 100_000)
            .map { "\($0.sequence) \($0.time) \($0.text)" }
    }
}
