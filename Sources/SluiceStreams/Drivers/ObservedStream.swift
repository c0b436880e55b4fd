import Sluice
import Synchronization

/// One of the streams of a runtime.
class ObservedStream {
    /// Fires when it is due next.
    final var timer: Timer?

    /// Does what is due at `now`, for a while; `nil` when it is over.
    func step(to now: StreamTime) -> StreamTurns.Rest? { nil }

    /// Whether something may come for it from outside.
    var listensOutside: Bool { false }

    /// Breaks it off.
    func close() {}
}

/// A stream of a runtime, with the type of its values.
final class ObservedFlow<Value>: ObservedStream {
    private let engine: Engine<Value>
    private let start: StreamTime
    private let call: StreamCall
    private let onEvent: @Sendable (StreamEvent<Value>) -> Void

    init(
        _ engine: Engine<Value>,
        start: StreamTime,
        _ call: StreamCall,
        _ onEvent: @escaping @Sendable (StreamEvent<Value>) -> Void
    ) {
        self.engine = engine
        self.start = start
        self.call = call
        self.onEvent = onEvent
    }

    override func step(to now: StreamTime) -> StreamTurns.Rest? {
        withCallContext(call.callContext) { steps(to: StreamTime(nanoseconds: now.nanoseconds - start.nanoseconds)) }
    }

    private func steps(to now: StreamTime) -> StreamTurns.Rest? {
        for _ in 0..<256 {
            while let event = engine.next() {
                if call.isCanceled { return nil }
                onEvent(event)
                switch event.kind {
                case .value, .reported: break
                case .completed: call.context.emit(())
                case .failed(let error): call.context.emit(error: error.underlying ?? error)
                }
            }
            if engine.isEnded || call.isCanceled { return nil }
            if let due = engine.nextDue, due <= now {
                engine.advance(to: due)
            } else if !engine.letIn(at: now) {
                return engine.nextDue.flatMap(start.adding).map { .until($0) } ?? .nothing
            }
        }
        return .more
    }

    override var listensOutside: Bool { engine.listensOutside }

    override func close() { engine.close() }

    /// A runtime that is gone ends the calls that nothing could end any more; one that has ended stays as it is.
    deinit { call.context.cancel() }
}

/// The call behind an observed stream.
final class StreamCall: Sendable {
    let context = Context<Void>()
    let callContext = CallContext.current
    private let canceled = Atomic(false)

    var isCanceled: Bool { canceled.load(ordering: .relaxed) }
    func cancel() { canceled.store(true, ordering: .relaxed) }
}
