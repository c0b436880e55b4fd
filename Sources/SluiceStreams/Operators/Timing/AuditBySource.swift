extension Flow {
    /// Emits the latest value at the end of each span. A value that comes outside of a span starts a stream, whose
    /// first value ends the span. Completion within a span waits for its end.
    ///
    /// A stream that completes without a value ends the span without emitting anything.
    ///
    /// - Parameter start: A closure that the run calls for the value that starts a span; an error that it throws fails
    ///   the stream.
    public func audit<Signal>(until start: @escaping @Sendable (Value) throws -> Flow<Signal>) -> Flow {
        auditing { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// Implements ``audit(until:)``, with the subscription left to `start`.
    func auditing<Signal>(_ start: @escaping @Sendable (Scope, Value, Sink<Signal>) throws -> Void) -> Flow {
        Flow { [subscribe] scope, sink in
            let cell = scope.cell(SpanState<Value>())
            let span = Cell<Lifetime?>(nil)
            func leave() {
                let signal = span.state
                span.state = nil
                signal?.close()
            }
            func begin(_ value: Value, _ scope: Scope, _ lifetime: Lifetime) {
                span.state = lifetime
                let signaled = Sink<Signal>(
                    lifetime: lifetime,
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        span.state = nil
                        if cell.state.isCompleted { sink.finish(.completed) }
                    },
                    receive: { _ in
                        leave()
                        if let latest = cell.state.waiting {
                            cell.state.waiting = nil
                            sink.receive(latest)
                        }
                        if cell.state.isCompleted { sink.finish(.completed) }
                    }
                )
                do { try start(scope, value, signaled) } catch { sink.finish(.failed(error)) }
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    guard case .completed = end else { return sink.finish(end) }
                    cell.state.isCompleted = true
                    if cell.state.waiting == nil || span.state == nil { sink.finish(.completed) }
                },
                receive: { value in
                    cell.state.waiting = value
                    guard span.state == nil, scope.run.spend() else { return }
                    let lifetime = sink.lifetime.child()
                    begin(value, scope.begin(for: value, lifetime), lifetime)
                }
            )
            for (value, inner) in scope.restored(Value.self) {
                let lifetime = sink.lifetime.child()
                begin(value, inner(lifetime), lifetime)
            }
            subscribe(scope, input)
        }
    }
}

/// The latest value of a span that another stream ends.
struct SpanState<Value> {
    var waiting: Value?
    var isCompleted = false
}

extension SpanState: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [SavedField("waiting", \.waiting), SavedField("isCompleted", \.isCompleted)]
    }
}
