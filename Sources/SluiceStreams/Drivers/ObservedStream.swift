import Sluice
import Synchronization

/// One of the streams of a runtime.
class ObservedStream {
    /// The timer that fires when it is due next.
    final var timer: Timer?

    /// Does work that is due at `now`, for a limited time; returns `nil` when the stream has ended.
    func step(to now: StreamTime) -> StreamTurns.Rest? { nil }

    /// A Boolean value that indicates whether items may come for it from outside.
    var listensOutside: Bool { false }

    /// Ends it early.
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

    /// Cancels a call of a runtime that is gone, which could not end any more; a call that has ended stays unchanged.
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
