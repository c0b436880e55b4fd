public import Sluice

/// A run of a stream with the events that it has given and that have not been read: the core of a driver.
@usableFromInline final class Engine<Value> {
    @usableFromInline let run: Run
    // One caller at a time drives an engine, and no access to these calls other code: dynamic checks for exclusive access
    // would cost more than most operators.
    @exclusivity(unchecked) @usableFromInline var events = Deque<StreamEvent<Value>>()
    @exclusivity(unchecked) @usableFromInline var isEnded = false
    @usableFromInline let flow: Flow<Value>
    @usableFromInline var hasBegun = false
    /// The number of values that may still come; `nil` for any number.
    @exclusivity(unchecked) @usableFromInline var wanted: Int?

    /// Creates an engine, which does nothing until it is advanced.
    ///
    /// - Parameters:
    ///   - count: The number of wanted values; the run ends early with the last of them.
    ///   - outside: The sources of the outside world.
    @inlinable init(
        _ flow: Flow<Value>,
        limits: StreamLimits = StreamLimits(),
        taking count: Int? = nil,
        outside: OutsideInputs? = nil
    ) {
        run = Run(limits: limits, outside: outside)
        self.flow = flow
        wanted = count
    }

    /// Subscribes to the stream, at the time 0.
    @inlinable func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        guard wanted.map({ $0 > 0 }) ?? true else { return close() }
        let lifetime = run.lifetime.child()
        let sink = Sink<Value>(
            lifetime: lifetime,
            end: { [unowned self] end in
                switch end {
                case .completed: put(.completed)
                case .failed(let error): put(.failed(StreamError(error)))
                }
            },
            receive: { [unowned self] value in
                put(.value(value))
                guard let count = wanted else { return }
                wanted = count - 1
                if count > 1 { return }
                isEnded = true
                lifetime.close()
            }
        )
        run.report = { [unowned self] error in put(.reported(error)) }
        run.abort = { error in sink.finish(.failed(error)) }
        flow.subscribe(Scope(run), sink)
        if isEnded { run.close() }
    }

    /// The time of the next event; `nil` when the stream has ended, or waits for something from outside.
    @inlinable var nextDue: StreamTime? { isEnded ? nil : hasBegun ? run.nextDue : .zero }

    /// A Boolean value that indicates whether something may still come from outside.
    var listensOutside: Bool { !isEnded && !(run.outside?.isEmpty ?? true) }

    /// Advances the time to `time`.
    @inlinable func advance(to time: StreamTime) {
        begin()
        if !isEnded { run.advance(to: time) }
        if isEnded { run.close() }
    }

    /// Lets in one item from outside at `time`; returns `false` if there was none.
    func letIn(at time: StreamTime) -> Bool {
        guard listensOutside else { return false }
        defer { if isEnded { run.close() } }
        return run.letIn(at: time)
    }

    /// A Boolean value that indicates whether an event waits to be read.
    @inlinable var hasEvent: Bool { !events.isEmpty }

    /// Removes and returns the oldest event.
    @inlinable func next() -> StreamEvent<Value>? { events.popFirst() }

    /// Ends the run early: its sources are released, and no events follow.
    @inlinable func close() {
        isEnded = true
        events.removeAll()
        run.close()
    }

    @inlinable func put(_ kind: StreamEvent<Value>.Kind) {
        guard !isEnded else { return }
        if kind.isEnd { isEnded = true }
        events.append(StreamEvent(time: run.now, kind: kind))
    }

    @inlinable deinit { run.close() }
}
