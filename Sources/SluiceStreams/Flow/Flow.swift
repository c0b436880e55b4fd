/// A stream that runs and cannot be saved: what a stream becomes with a native closure.
///
/// ```swift
/// let flow = Flow.values(1, 2, 3).map { $0 * 2 }
/// let values = flow.virtualEvents().compactMap(\.value)  // [2, 4, 6]
/// ```
///
/// It is a description. Each run, and each subscription within a run, begins afresh; closures are called by the run
/// that subscribes, one after another.
public struct Flow<Value>: Sendable {
    /// Starts the stream for one sink.
    @usableFromInline let subscribe: @Sendable (Scope, Sink<Value>) -> Void

    @usableFromInline init(subscribe: @escaping @Sendable (Scope, Sink<Value>) -> Void) {
        self.subscribe = subscribe
    }

    /// A stream that does with each of its subscriptions what `attach` says: it answers the sink for this stream's
    /// values.
    @usableFromInline func lift<Output>(
        _ attach: @escaping @Sendable (Scope, Sink<Output>) -> Sink<Value>
    ) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in subscribe(scope, attach(scope, sink)) }
    }
}
