extension Flow {
    /// Emits a value when a stream that is started for it emits its first value, unless another value comes before.
    ///
    /// Completion emits a waiting value. An error of this stream or of a started one fails the stream.
    ///
    /// - Parameter start: A closure that the run calls for each value; an error that it throws fails the stream.
    public func debounce<Signal>(until start: @escaping @Sendable (Value) throws -> Flow<Signal>) -> Flow {
        debouncing { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// Implements ``debounce(until:)``, with the subscription left to `start`.
    func debouncing<Signal>(_ start: @escaping @Sendable (Scope, Value, Sink<Signal>) throws -> Void) -> Flow {
        Flow { [subscribe] scope, sink in
            let waiting = scope.cell(nil as Value?)
            let latest = Cell<Lifetime?>(nil)
            func leave() {
                let signal = latest.state
                latest.state = nil
                signal?.close()
            }
            func emit() {
                leave()
                guard let value = waiting.state else { return }
                waiting.state = nil
                sink.receive(value)
            }
            func begin(_ value: Value, _ scope: Scope, _ lifetime: Lifetime) {
                latest.state = lifetime
                let signaled = Sink<Signal>(
                    lifetime: lifetime,
                    end: { end in if case .failed = end { sink.finish(end) } },
                    receive: { _ in emit() }
                )
                do { try start(scope, value, signaled) } catch { sink.finish(.failed(error)) }
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if case .completed = end { emit() }
                    sink.finish(end)
                },
                receive: { value in
                    leave()
                    guard !sink.isClosed, scope.run.spend() else { return }
                    waiting.state = value
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
