import Foundation
import Sluice

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

/// The time of an environment that a test moves, and the tasks that the environment begins.
struct ManualTime {
    let timer = ManualTimer()
    private let tasks = Tasks()

    private final class Tasks: Sendable {
        let open = Locked(0)
        let begun = Locked(0)
    }

    /// Returns an environment with this time.
    func environment(
        _ scheduler: RunScheduler,
        _ store: any StreamStore,
        _ publisher: any RunPublisher,
        _ settings: RunSettings
    ) -> RunEnvironment {
        RunEnvironment(
            scheduler: scheduler,
            timer: timer,
            store: store,
            publisher: publisher,
            settings: settings,
            wallClock: { [timer] in Date(timeIntervalSince1970: 1_000_000 + Double(timer.now) / 1e9) },
            perform: TaskStarter { [tasks] body in
                tasks.open.withLock { $0 += 1 }
                tasks.begun.withLock { $0 += 1 }
                return Task {
                    await body()
                    tasks.open.withLock { $0 -= 1 }
                }
            }
        )
    }

    /// The number of tasks that have not ended.
    var openCount: Int { tasks.open.withLock { $0 } }

    /// The number of tasks that were begun.
    var taskCount: Int { tasks.begun.withLock { $0 } }

    /// Moves the time from call to call for `seconds`.
    func pass(_ seconds: Double, _ scheduler: RunScheduler) async {
        let end = timer.now + Int64(seconds * 1e9)
        while true {
            await settle(scheduler)
            guard let next = timer.next, next <= end else { break }
            timer.move(to: next)
        }
        timer.move(to: end)
        await settle(scheduler)
    }

    /// Waits until nothing happens any more.
    func settle(_ scheduler: RunScheduler) async {
        while true {
            let count = scheduler.workCount
            if tasks.open.withLock({ $0 }) == 0, scheduler.isIdle, scheduler.workCount == count,
                tasks.open.withLock({ $0 }) == 0
            {
                return
            }
            await Task.yield()
        }
    }
}
