internal import Sluice
internal import SluiceFilters

/// The calls of a ``Simulation``, each of which begins at its time.
final class SimulatedCalls<Client: Node>: Sendable where Client.Input == Int, Client.Output == String {
    /// The shortest time that a caller of a closed loop thinks, in nanoseconds, so that time passes.
    private static var leastThinking: Int64 { 1000 }

    private let clients: [Client]
    private let arrivals: Arrivals
    private let random: RandomSource
    private let end: Int64
    private let clock: SimulatedClock
    private let recorder: SimulationRecorder
    /// The number of calls so far, and of callers that will call again.
    private let state = Locked((count: 0, callers: 0))

    init(
        _ clients: [Client],
        _ arrivals: Arrivals,
        _ random: RandomSource,
        until end: Int64,
        _ clock: SimulatedClock,
        _ recorder: SimulationRecorder
    ) {
        self.clients = clients
        self.arrivals = arrivals
        self.random = random
        self.end = end
        self.clock = clock
        self.recorder = recorder
    }

    /// A Boolean value that indicates whether no further calls begin.
    var areOver: Bool { state.withLock { $0.callers == 0 } }

    /// Begins the first calls.
    func begin() {
        guard end > 0 else { return }
        switch arrivals.kind {
        case .open(let gap):
            state.withLock { $0.callers = 1 }
            arrive(gap)
        case .closed(let callers, let thinking):
            state.withLock { $0.callers = callers }
            for caller in 0..<callers { think(thinking, caller: caller) }
        }
    }

    /// Begins a call, and schedules the next one.
    private func arrive(_ gap: @escaping @Sendable (Duration, RandomSource) -> Duration) {
        let now = clock.elapsed
        call(client: nil) {}
        schedule(after: max(gap(.nanoseconds(now), random).nanoseconds, 1)) { [self] in arrive(gap) }
    }

    /// Waits, makes a call, and begins again when it has ended.
    private func think(_ thinking: Latency, caller: Int) {
        let time = thinking.sample(.nanoseconds(clock.elapsed), random).nanoseconds
        schedule(after: max(time, Self.leastThinking)) { [self] in
            call(client: caller) { [self] in think(thinking, caller: caller) }
        }
    }

    /// Schedules the next call of a caller, unless it would begin after the end.
    private func schedule(after delay: Int64, _ body: @escaping @Sendable () -> Void) {
        if clock.elapsed.advanced(byClamping: delay) < end {
            clock.schedule(after: delay, body)
        } else {
            state.withLock { $0.callers -= 1 }
        }
    }

    /// Begins a call of a client; with `nil`, the clients take turns.
    private func call(client: Int?, whenEnded: @escaping @Sendable () -> Void) {
        let number = state.withLock { state in
            defer { state.count += 1 }
            return state.count
        }
        let now = clock.elapsed
        recorder.callBegan(at: now)
        Task.detached { [self] in
            do {
                _ = try await clients[(client ?? number) % clients.count].process(number)
                recorder.callEnded(began: now, at: clock.elapsed, error: nil)
            } catch {
                recorder.callEnded(began: now, at: clock.elapsed, error: error)
            }
            whenEnded()
        }
    }
}
