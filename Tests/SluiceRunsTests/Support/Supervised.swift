import Foundation
import Sluice
import SluiceJSON
import SluiceStreams

@testable import SluiceRuns

/// A timer that a test moves.
final class ManualTimer: RunTimer {
    private struct State {
        var now: Int64 = 0
        var lastID = 0
        var calls: [Int: (instant: Int64, body: @Sendable () -> Void)] = [:]
    }

    private let state = Locked(State())

    var now: Int64 { state.withLock { $0.now } }

    func schedule(at instant: Int64, _ body: @escaping @Sendable () -> Void) -> any RunAlarm {
        state.withLock { state in
            state.lastID += 1
            state.calls[state.lastID] = (instant, body)
            return Alarm(timer: self, id: state.lastID)
        }
    }

    private struct Alarm: RunAlarm {
        let timer: ManualTimer
        let id: Int

        func cancel() { timer.state.withLock { _ = $0.calls.removeValue(forKey: id) } }
    }

    /// The instant of the next call.
    var next: Int64? { state.withLock { $0.calls.values.map(\.instant).min() } }

    /// Moves the time, and makes the calls that are due.
    func move(to instant: Int64) {
        let due = state.withLock { state in
            state.now = max(state.now, instant)
            let due = state.calls.filter { $0.value.instant <= state.now }
                .sorted { ($0.value.instant, $0.key) < ($1.value.instant, $1.key) }
            for (id, _) in due { state.calls[id] = nil }
            return due.map(\.value.body)
        }
        for body in due { body() }
    }
}

/// Remembers what was published.
final class RecordingPublisher: RunPublisher {
    let statuses = Locked<[RunStatus]>([])
    let marks = Locked<[StageWatch.Mark]>([])
    let events = Locked<[RunEvent]>([])

    func publish(_ status: RunStatus, isNewRun: Bool) { statuses.withLock { $0.append(status) } }
    func publish(_ marks: [StageWatch.Mark], of stream: String) { self.marks.withLock { $0 += marks } }
    func discardValues(of stream: String) {}
    let isSubscribed = Locked(true)
    private let body = Locked<(@Sendable () -> Void)?>(nil)

    func hasSubscribers(of stream: String) -> Bool { isSubscribed.withLock { $0 } }
    func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) { self.body.withLock { $0 = body } }

    /// Subscribes to the stages.
    func subscribe() {
        isSubscribed.withLock { $0 = true }
        body.withLock { $0 }?()
    }

    func count(_ event: RunEvent) { events.withLock { $0.append(event) } }

    /// The last status that was published.
    var last: RunStatus? { statuses.withLock { $0.last } }
}

/// A stream with its supervisor, on a timer that the test moves.
struct Supervised {
    let timer = ManualTimer()
    let publisher = RecordingPublisher()
    let store = MemoryStreamStore()
    let environment: RunEnvironment
    let supervisor: RunSupervisor
    private let work: WorkCount

    private final class WorkCount: Sendable {
        let count = Locked(0)
    }

    init(
        _ text: String,
        quantum: Duration = .seconds(3600),
        settings: RunSettings = RunSettings(),
        publisher subscriber: (any RunPublisher)? = nil
    ) async throws {
        let work = WorkCount()
        self.work = work
        environment = RunEnvironment(
            scheduler: RunScheduler(threads: 1, quantum: quantum),
            timer: timer,
            store: store,
            publisher: subscriber ?? publisher,
            settings: settings,
            wallClock: { [timer] in Date(timeIntervalSince1970: 1_000_000 + Double(timer.now) / 1e9) },
            perform: { body in
                work.count.withLock { $0 += 1 }
                Task {
                    await body()
                    work.count.withLock { $0 -= 1 }
                }
            }
        )
        try await store.create([StreamDraft(id: "a", name: nil, text: text)], by: nil)
        supervisor = RunSupervisor("a", try Self.program(text, revision: 1), environment)
    }

    static func program(_ text: String, revision: Int) throws -> RunProgram {
        RunProgram(document: try StreamDocument(parsing: text), revision: revision, library: StreamLibrary())
    }

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
            if work.count.withLock({ $0 }) == 0, environment.scheduler.isIdle,
                environment.scheduler.workCount == count, work.count.withLock({ $0 }) == 0
            {
                return
            }
            await Task.yield()
        }
    }

    /// The outputs of the last run: the sequence, the time, and the text.
    func outputs() async throws -> [String] {
        await supervisor.save()
        return try await store.outputs(of: "a", run: nil, after: 0, limit: 100_000)
            .map { "\($0.sequence) \($0.time) \($0.text)" }
    }
}
