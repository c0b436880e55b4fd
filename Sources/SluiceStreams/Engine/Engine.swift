/// A run of a stream with what it has given and nobody has taken yet: what drivers hold.
@usableFromInline final class Engine<Value> {
    @usableFromInline let run: Run
    @usableFromInline var events = FIFO<StreamEvent<Value>>()
    @usableFromInline var isEnded = false
    @usableFromInline let flow: Flow<Value>
    @usableFromInline var hasBegun = false
    /// How many values may still come; `nil` for any number.
    @usableFromInline var wanted: Int?

    /// Makes an engine; nothing happens before it is asked.
    ///
    /// - Parameters:
    ///   - count: how many values are wanted: with the last of them the run is broken off.
    ///   - outside: what it reads of the outside world.
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

    /// When the next thing happens; `nil` when the stream has ended, or nothing will unless from outside.
    @inlinable var nextDue: StreamTime? { isEnded ? nil : hasBegun ? run.nextDue : .zero }

    /// Whether something may still come from outside.
    var listensOutside: Bool { !isEnded && !(run.outside?.isEmpty ?? true) }

    /// Moves the time to `time`.
    @inlinable func advance(to time: StreamTime) {
        begin()
        if !isEnded { run.advance(to: time) }
        if isEnded { run.close() }
    }

    /// Lets one item from outside in at `time`; answers whether there was one.
    func letIn(at time: StreamTime) -> Bool {
        guard listensOutside else { return false }
        defer { if isEnded { run.close() } }
        return run.letIn(at: time)
    }

    /// Takes the oldest event that nobody has taken.
    @inlinable func next() -> StreamEvent<Value>? { events.popFirst() }

    /// Breaks the run off: what it reads is let go, and nothing comes any more.
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
