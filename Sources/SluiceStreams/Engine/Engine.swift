/// A run of a stream with what it has given and nobody has taken yet: what drivers hold.
final class Engine<Value> {
    let run: Run
    private var events = FIFO<StreamEvent<Value>>()
    private(set) var isEnded = false
    private let flow: Flow<Value>
    private var hasBegun = false

    /// Makes an engine; nothing happens before it is asked.
    init(_ flow: Flow<Value>, limits: StreamLimits = StreamLimits()) {
        run = Run(limits: limits)
        self.flow = flow
    }

    /// Subscribes to the stream, at the time 0.
    func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        let run = run
        let sink = Sink<Value>(
            lifetime: run.lifetime.child(),
            end: { [unowned self] end in
                switch end {
                case .completed: put(.completed)
                case .failed(let error): put(.failed(StreamError(error)))
                }
            },
            receive: { [unowned self] value in put(.value(value)) }
        )
        run.report = { [unowned self] error in put(.reported(error)) }
        run.abort = { error in sink.finish(.failed(error)) }
        flow.subscribe(Scope(run: run, outer: nil), sink)
    }

    /// When the next thing happens; `nil` when the stream has ended, or nothing will unless from outside.
    var nextDue: StreamTime? { isEnded ? nil : hasBegun ? run.nextDue : .zero }

    /// Moves the time to `time`.
    func advance(to time: StreamTime) {
        begin()
        if !isEnded { run.advance(to: time) }
        if isEnded { run.close() }
    }

    /// Takes the oldest event that nobody has taken.
    func next() -> StreamEvent<Value>? { events.popFirst() }

    private func put(_ kind: StreamEvent<Value>.Kind) {
        guard !isEnded else { return }
        if kind.isEnd { isEnded = true }
        events.append(StreamEvent(time: run.now, kind: kind))
    }

    deinit { run.close() }
}
