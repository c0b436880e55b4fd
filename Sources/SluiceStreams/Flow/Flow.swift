/// A stream with native closures, which can run but not be saved.
///
/// ```swift
/// let flow = Flow.values(1, 2, 3).map { $0 * 2 }
/// let values = flow.virtualEvents().compactMap(\.value)  // [2, 4, 6]
/// ```
///
/// A flow is a description. Each run, and each subscription within a run, begins from the start. The run that
/// subscribes calls the closures, one after another.
public struct Flow<Value>: Sendable {
    /// A closure that starts the stream for one sink.
    @usableFromInline let subscribe: @Sendable (Scope, Sink<Value>) -> Void

    @usableFromInline init(subscribe: @escaping @Sendable (Scope, Sink<Value>) -> Void) {
        self.subscribe = subscribe
    }

    /// Returns a stream that calls `attach` for each of its subscriptions, which returns the sink for this stream's
    /// values.
    @usableFromInline func lift<Output>(
        _ attach: @escaping @Sendable (Scope, Sink<Output>) -> Sink<Value>
    ) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in subscribe(scope, attach(scope, sink)) }
    }
}
