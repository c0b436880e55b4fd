public import Sluice

/// Runs any number of streams in live time with one task and one timer for all of them.
///
/// ```swift
/// let runtime = StreamRuntime(clock: .continuous)
/// let call = runtime.observe(Flow.values(1, 2, 3)) { print($0) }  // prints 1 2 3
/// call.onCompleted { print("over") }.onError { print("failed", $0) }
/// ```
///
/// A stream that waits costs its state and a place in a heap: no task, no thread. The one task sleeps until the first
/// stream is due; where none will be, there is no task.
///
/// Values are delivered by that task, one after another: those of one stream in order, its end after the last of them.
/// A closure that takes long holds all streams of its runtime up; where that may be, read `values()` in a task of its
/// own. A stream that has much to do gives way to the others after some hundred values.
///
/// What is due, or may come from outside, keeps the runtime. With a runtime that nobody holds, calls that nothing could
/// end any more end with cancel.
public final class StreamRuntime<C: Clock>: Sendable where C.Duration == Duration {
    private let clock: C
    private let origin: C.Instant
    private let state = Locked(State())
    private let turns = StreamTurns()

    private struct State {
        var phase = Phase.idle
        /// Which task has the turns; one that was replaced in its sleep finds another number here and ends.
        var generation = 0
        var task: Task<Void, Never>?
        var commands: [StreamTurns.Command] = []
        var lastID = 0
        /// The runtime itself, while there is no task and something may come from outside.
        var kept: StreamRuntime?

        mutating func takeCommands() -> [StreamTurns.Command] {
            defer { commands = [] }
            return commands
        }

        /// Lets the task go or sleep; answers `false` when something was asked meanwhile.
        mutating func rest(_ phase: Phase) -> Bool {
            guard commands.isEmpty else { return false }
            self.phase = phase
            if case .idle = phase { task = nil }
            return true
        }

        /// Gives the turns back to a task that has slept; answers `false` when another has them.
        mutating func wake(_ generation: Int) -> Bool {
            guard generation == self.generation else { return false }
            phase = .running
            return true
        }
    }

    private enum Phase { case idle, running, asleep }

    /// Makes a runtime; it starts a task when there is something to do.
    public init(clock: C) {
        self.clock = clock
        origin = clock.now
    }

    /// How many tasks it has now: one, or none.
    var taskCount: Int { state.withLock { $0.task == nil ? 0 : 1 } }

    /// How many things have been asked of it that it has not begun with.
    var pendingCount: Int { state.withLock { $0.commands.count } }

    private var now: StreamTime { StreamTime(since: origin, clock) }

    /// Runs a stream from now on, and calls `onValue` with each of its values.
    ///
    /// ```swift
    /// let call = StreamRuntime.shared.observe(Flow.values(1, 2)) { print($0) }  // prints 1 2
    /// ```
    ///
    /// - Parameters:
    ///   - flow: the stream; each call is a run of its own.
    ///   - host: what it may read of the outside world.
    ///   - limits: how much the run may do.
    ///   - onValue: called by the task of the runtime, on no actor, with one value after another, in the
    ///     ``Sluice/CallContext`` of this call; it must not block.
    /// - Returns: an observer that ends once, after all values: completed with the stream, or with its error.
    ///   Cancelling it stops the run and the tasks of what it reads; no value follows but one whose delivery has begun.
    ///   Letting go of it does not stop the run.
    @discardableResult
    public func observe<Value>(
        _ flow: Flow<Value>,
        host: StreamHost = StreamHost(),
        limits: StreamLimits = StreamLimits(),
        onValue: @escaping @Sendable (Value) -> Void
    ) -> Observer<Void> {
        observe(events: flow, host: host, limits: limits) { if case .value(let value) = $0.kind { onValue(value) } }
    }

    /// Runs a stream from now on, and calls `onEvent` with each of its events: with their times, the end among them,
    /// and the errors that are put out beside the values. The rest is as in ``observe(_:host:limits:onValue:)``.
    @discardableResult
    public func observe<Value>(
        events flow: Flow<Value>,
        host: StreamHost = StreamHost(),
        limits: StreamLimits = StreamLimits(),
        onEvent: @escaping @Sendable (StreamEvent<Value>) -> Void
    ) -> Observer<Void> {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let call = StreamCall()
        call.context.onCanceled { [weak self] in
            call.cancel()
            self?.post(.stop(id))
        }
        let start = now
        let doorbell = Doorbell { [weak self] in self?.post(.serve(id)) }
        post(
            .start(id) {
                let engine = Engine(flow, limits: limits, outside: OutsideInputs(host, doorbell))
                return ObservedFlow(engine, start: start, call, onEvent)
            }
        )
        return call.context
    }

    /// Has something done at the next turn, which is soon.
    private func post(_ command: StreamTurns.Command) {
        let sleeper = state.withLock { state -> Task<Void, Never>? in
            state.commands.append(command)
            state.kept = nil
            if case .running = state.phase { return nil }
            let sleeper = state.task
            state.phase = .running
            state.generation += 1
            let generation = state.generation
            // Detached: it serves everybody, and bears neither the context nor the priority of who came first.
            state.task = Task.detached { [self] in await run(generation) }
            return sleeper
        }
        sleeper?.cancel()
    }

    private func run(_ generation: Int) async {
        while true {
            switch turns.turn(state.withLock { $0.takeCommands() }, at: now) {
            case .more:
                await Task.yield()
            case .nothing:
                let kept = turns.listensOutside ? self : nil
                let rests = state.withLock { state in
                    guard state.rest(.idle) else { return false }
                    state.kept = kept
                    return true
                }
                if rests { return }
            case .until(let time):
                guard state.withLock({ $0.rest(.asleep) }) else { continue }
                try? await clock.sleep(until: origin.advanced(by: time.duration), tolerance: nil)
                guard state.withLock({ $0.wake(generation) }) else { return }
            }
        }
    }
}

extension StreamRuntime<ContinuousClock> {
    /// The runtime of the process for those who need none of their own.
    public static var shared: StreamRuntime { sharedRuntime }
}

private let sharedRuntime = StreamRuntime(clock: .continuous)

extension Flow {
    /// Runs the stream from now on; see ``StreamRuntime/observe(_:host:limits:onValue:)``.
    ///
    /// ```swift
    /// Flow.values(1, 2).observe { print($0) }.onCompleted { print("over") }  // prints 1 2 over
    /// ```
    @discardableResult
    public func observe(host: StreamHost = StreamHost(), onValue: @escaping @Sendable (Value) -> Void) -> Observer<Void>
    {
        StreamRuntime.shared.observe(self, host: host, onValue: onValue)
    }
}
