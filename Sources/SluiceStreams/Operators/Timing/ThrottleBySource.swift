extension Flow {
    /// Emits at most one value in each span. A value that comes outside of a span starts a stream, whose first value or
    /// completion ends the span.
    ///
    /// - Parameters:
    ///   - leading: A Boolean value that indicates whether the value that starts a span is emitted immediately.
    ///   - trailing: A Boolean value that indicates whether the last value of a span is emitted when a value ends it,
    ///     and starts the next span.
    ///   - start: A closure that the run calls for the value that starts a span; an error that it throws fails the
    ///     stream.
    public func throttle<Signal>(
        leading: Bool = true,
        trailing: Bool = false,
        until start: @escaping @Sendable (Value) throws -> Flow<Signal>
    ) -> Flow {
        throttling(leading, trailing) { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// Implements ``throttle(leading:trailing:until:)``, with the subscription left to `start`.
    func throttling<Signal>(
        _ leading: Bool,
        _ trailing: Bool,
        _ start: @escaping @Sendable (Scope, Value, Sink<Signal>) throws -> Void
    ) -> Flow {
        Flow { [subscribe] scope, sink in
            let cell = scope.cell(SpanState<Value>())
            let span = Cell<Lifetime?>(nil)
            func isOpen() -> Bool { span.state.map { !$0.isClosed } ?? false }
            func startSpan(_ value: Value) {
                guard !sink.isClosed, scope.run.spend() else { return }
                let lifetime = sink.lifetime.child()
                begin(value, scope.begin(for: value, lifetime), lifetime)
            }
            func send() {
                guard let value = cell.state.waiting else { return }
                cell.state.waiting = nil
                sink.receive(value)
                if !cell.state.isCompleted { startSpan(value) }
            }
            func begin(_ value: Value, _ scope: Scope, _ lifetime: Lifetime) {
                let signaled = Sink<Signal>(
                    lifetime: lifetime,
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        span.state = nil
                        if cell.state.isCompleted { sink.finish(.completed) }
                    },
                    receive: { _ in
                        let running = span.state
                        span.state = nil
                        running?.close()
                        guard trailing else { return }
                        send()
                        if cell.state.isCompleted { sink.finish(.completed) }
                    }
                )
                do { try start(scope, value, signaled) } catch { return sink.finish(.failed(error)) }
                // A stream that emits a value immediately ends a span that has not begun, as in RxJS.
                span.state = lifetime
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    guard case .completed = end else { return sink.finish(end) }
                    cell.state.isCompleted = true
                    if !(trailing && cell.state.waiting != nil && isOpen()) { sink.finish(.completed) }
                },
                receive: { value in
                    cell.state.waiting = value
                    if isOpen() { return }
                    if leading { send() } else { startSpan(value) }
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
