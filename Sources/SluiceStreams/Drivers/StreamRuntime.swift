public import Sluice

/// A runtime that runs any number of streams in live time with a single task and timer.
///
/// ```swift
/// let runtime = StreamRuntime(clock: .continuous)
/// let call = runtime.observe(Flow.values(1, 2, 3)) { print($0) }  // prints 1 2 3
/// call.onCompleted { print("over") }.onError { print("failed", $0) }
/// ```
///
/// A waiting stream costs its state and a place in a heap, but no task and no thread. The task sleeps until the first
/// stream is due; if none is going to be, there is no task.
///
/// The task delivers the values one after another: those of one stream in order, and its end after the last of them. A
/// slow closure delays all streams of its runtime; to avoid that, read `values()` in a task of your own. A busy stream
/// yields to the others after some hundred values.
///
/// Streams that are due, or that something may come for from outside, keep the runtime alive. When a runtime is
/// released, calls that can no longer end are canceled.
public final class StreamRuntime<C: Clock>: Sendable where C.Duration == Duration {
    private let clock: C
    private let origin: C.Instant
    private let state = Locked(State())
    private let turns = StreamTurns()

    private struct State {
        var phase = Phase.idle
        /// The generation of the task that has the turns; a task that was replaced in its sleep finds another number
        /// and ends.
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

        /// Lets the task end or sleep; returns `false` if there are new commands.
        mutating func rest(_ phase: Phase) -> Bool {
            guard commands.isEmpty else { return false }
            self.phase = phase
            if case .idle = phase { task = nil }
            return true
        }

        /// Gives the turns back to a task that has slept; returns `false` if another task has them.
        mutating func wake(_ generation: Int) -> Bool {
            guard generation == self.generation else { return false }
            phase = .running
            return true
        }
    }

    private enum Phase { case idle, running, asleep }

    /// Creates a runtime, which starts a task when there is work to do.
    public init(clock: C) {
        self.clock = clock
        origin = clock.now
    }

    /// The number of tasks at present: 0 or 1.
    var taskCount: Int { state.withLock { $0.task == nil ? 0 : 1 } }

    /// The number of commands that have not been started.
    var pendingCount: Int { state.withLock { $0.commands.count } }

    private var now: StreamTime { StreamTime(since: origin, clock) }

    /// Runs a stream from now on, and calls `onValue` with each of its values.
    ///
    /// ```swift
    /// let call = StreamRuntime.shared.observe(Flow.values(1, 2)) { print($0) }  // prints 1 2
    /// ```
    ///
    /// - Parameters:
    ///   - flow: The stream; each call is a run of its own.
    ///   - host: The sources and sinks that the stream may use.
    ///   - limits: The limits on the work of the run.
    ///   - onValue: A closure that the task of the runtime calls, on no actor, with one value after another, in the
    ///     ``Sluice/CallContext`` of this call; it must not block.
    /// - Returns: An observer that ends once, after all values: completed with the stream, or with its error. Canceling
    ///   it stops the run and the tasks that read its sources; no further value is delivered, except one whose delivery
    ///   has begun. Releasing it does not stop the run.
    @discardableResult
    public func observe<Value>(
        _ flow: Flow<Value>,
        host: StreamHost = StreamHost(),
        limits: StreamLimits = StreamLimits(),
        onValue: @escaping @Sendable (Value) -> Void
    ) -> Observer<Void> {
        observe(events: flow, host: host, limits: limits) { if case .value(let value) = $0.kind { onValue(value) } }
    }

    /// Runs a stream from now on, and calls `onEvent` with each of its events: values, reported errors, and the end,
    /// with their times. Otherwise like ``observe(_:host:limits:onValue:)``.
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
        let readySources = ReadySources { [weak self] in self?.post(.serve(id)) }
        post(
            .start(id) {
                let engine = Engine(flow, limits: limits, outside: OutsideInputs(host, readySources))
                return ObservedFlow(engine, start: start, call, onEvent)
            }
        )
        return call.context
    }

    /// Schedules a command for the next turn, which is soon.
    private func post(_ command: StreamTurns.Command) {
        let sleeper = state.withLock { state -> Task<Void, Never>? in
            state.commands.append(command)
            state.kept = nil
            if case .running = state.phase { return nil }
            let sleeper = state.task
            state.phase = .running
            state.generation += 1
            let generation = state.generation
            // Detached: it serves all callers, with neither the context nor the priority of the first one.
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
    /// The shared runtime of the process.
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
