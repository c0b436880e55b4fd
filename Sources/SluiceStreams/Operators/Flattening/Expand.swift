import Sluice
import SluiceExpressions

extension Flow {
    /// Emits each value and, recursively, the values of a stream that is started for it.
    ///
    /// Completes when this stream and all started streams have completed; fails with the first that fails. A value that
    /// comes while a stream is being started waits until then: nothing nests, however deep the recursion. The running
    /// streams and the waiting values count as held back, and the values of one instant count against
    /// ``StreamLimits/eventsPerInstant``: an endless recursion fails.
    ///
    /// - Parameters:
    ///   - concurrency: The maximum number of streams that run at the same time; further values wait in order.
    ///   - start: A closure that the run calls for each value when its stream is to start; an error that it throws
    ///     fails the stream.
    public func expand(
        concurrency: Int = .max,
        _ start: @escaping @Sendable (Value) throws -> Flow
    ) -> Flow {
        expanding(concurrency) { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// Implements ``expand(concurrency:_:)``, with the subscription left to `start`.
    func expanding(
        _ concurrency: Int,
        _ start: @escaping @Sendable (Scope, Value, Sink<Value>) throws -> Void
    ) -> Flow {
        Flow { [subscribe] scope, sink in
            let cell = scope.cell(ExpandState<Value>())
            let holding = scope.holding(for: sink.lifetime)
            // Between two instants both are empty.
            let arrived = Cell<[Value]>([])
            let next = Cell<[Value]>([])
            let isBusy = Cell(false)
            func begin(_ value: Value, _ scope: Scope, _ lifetime: Lifetime) {
                let inner = Sink<Value>(
                    lifetime: lifetime,
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        // A shared stream is left before the next one is subscribed.
                        lifetime.close()
                        cell.state.running -= 1
                        holding.add(-1)
                        work()
                    },
                    receive: take
                )
                do { try start(scope, value, inner) } catch { sink.finish(.failed(error)) }
            }
            func take(_ value: Value) {
                holding.add(1)
                if cell.state.running >= concurrency {
                    cell.state.waiting.append(value)
                } else {
                    cell.state.running += 1
                    arrived.state.append(value)
                    work()
                }
            }
            // A loop: the values that a stream emits as it starts precede those that were waiting.
            func work() {
                if isBusy.state { return }
                isBusy.state = true
                defer { isBusy.state = false }
                while !sink.isClosed {
                    let values = arrived.state
                    arrived.state = []
                    next.state.append(contentsOf: values.reversed())
                    guard let value = next.state.popLast() ?? waiting() else { break }
                    guard scope.run.spend() else { return }
                    sink.receive(value)
                    guard !sink.isClosed else { return }
                    let lifetime = sink.lifetime.child()
                    begin(value, scope.begin(for: value, lifetime), lifetime)
                }
                if cell.state.isCompleted, cell.state.running == 0, cell.state.waiting.isEmpty {
                    sink.finish(.completed)
                }
            }
            func waiting() -> Value? {
                guard cell.state.running < concurrency, let value = cell.state.waiting.popFirst() else { return nil }
                cell.state.running += 1
                return value
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    guard case .completed = end else { return sink.finish(end) }
                    cell.state.isCompleted = true
                    work()
                },
                receive: take
            )
            for (value, inner) in scope.restored(Value.self) {
                let lifetime = sink.lifetime.child()
                begin(value, inner(lifetime), lifetime)
            }
            subscribe(scope, input)
        }
    }
}

/// The number of running streams, and the waiting values.
private struct ExpandState<Value> {
    var running = 0
    var waiting = Deque<Value>()
    var isCompleted = false
}

extension ExpandState: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("running", \.running), SavedField("waiting", \.waiting),
            SavedField("isCompleted", \.isCompleted),
        ]
    }
}

extension OperatorKind {
    static let expand = OperatorKind(
        "expand",
        summary: "Starts a stream for each value, and for each value of those streams",
        [.source("to"), .expression(isRequired: false), .count("concurrency", least: 1, isRequired: false), .onError]
    ) { stage in
        let type = stage.item
        // A value `a` is one of the input, or one of a started stream.
        stage.item = .dyn
        let start = stage.flattened()
        if stage.item != type { stage.item = .dyn }
        return stage.input.expanding(stage.optionalCount("concurrency") ?? .max, start)
    }
}

extension Operator {
    /// Emits each value `a` and, recursively, the result of an expression of `a` and each value `x` of a stream that is
    /// started for it, or `x` itself without an expression. Expressions within the stream see `a` too.
    ///
    /// ```marbles
    /// 1-------|
    /// {"expand": {"to": {"source": {"timer": {"seconds": 2}}, "operators": [{"filter": {"expression": "a < 5"}}]},
    ///             "expression": "a * 2"}}
    /// 1-2-4-8-|
    /// ```
    ///
    /// It completes when the input and all streams have completed. An endless recursion fails: at one instant by the
    /// limit of events, over time by the limit of running streams.
    ///
    /// - Parameters:
    ///   - source: The stream that is started for each value.
    ///   - expression: The expression, in CEL.
    ///   - concurrency: The maximum number of streams that run at the same time; further values wait in order,
    ///     and are emitted when their turn comes.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func expand(
        to source: StreamSource,
        _ expression: String? = nil,
        concurrency: Int? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .expand,
            [
                "to": .source(source), "expression": expression.map { .string($0) },
                "concurrency": concurrency.map { .int($0) }, "onError": onError.argument,
            ]
        )
    }
}
