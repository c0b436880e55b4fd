import Sluice
import SluiceExpressions

extension Flow {
    /// Starts a stream for each value and emits the values of these streams as they come.
    ///
    /// Completes when this stream and all started streams have completed; fails with the first that fails.
    ///
    /// - Parameters:
    ///   - concurrency: The maximum number of streams that run at the same time; further values wait in order, and the
    ///     next stream starts at the instant at which one completes.
    ///   - start: A closure that the run calls for each value when its stream is to start; an error that it throws
    ///     fails the stream.
    public func flatMap<Output>(
        concurrency: Int = .max,
        _ start: @escaping @Sendable (Value) throws -> Flow<Output>
    ) -> Flow<Output> {
        flattening(concurrency) { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// Implements ``flatMap(concurrency:_:)``, with the subscription left to `start`.
    func flattening<Output>(
        _ concurrency: Int,
        _ start: @escaping @Sendable (Scope, Value, Sink<Output>) throws -> Void
    ) -> Flow<Output> {
        Flow<Output> { scope, sink in flatten(concurrency, scope, sink, start) }
    }

    /// Subscribes to the stream and to the streams that `start` starts for its values.
    func flatten<Output>(
        _ concurrency: Int,
        _ scope: Scope,
        _ sink: Sink<Output>,
        _ start: @escaping (Scope, Value, Sink<Output>) throws -> Void
    ) {
        let cell = scope.cell(FlatMapState<Value>())
        let holding = scope.holding(for: sink.lifetime)
        func finishIfDone() {
            if cell.state.isCompleted, cell.state.running == 0, cell.state.waiting.isEmpty {
                sink.finish(.completed)
            }
        }
        func run(_ value: Value) {
            guard !sink.isClosed, scope.run.spend() else { return }
            cell.state.running += 1
            // The item is held as long as its stream runs.
            holding.add(1)
            let lifetime = sink.lifetime.child()
            begin(value, scope.begin(for: value, lifetime), lifetime)
        }
        func begin(_ value: Value, _ scope: Scope, _ lifetime: Lifetime) {
            let inner = Sink<Output>(
                lifetime: lifetime,
                end: { end in
                    guard case .completed = end else { return sink.finish(end) }
                    // A shared stream is left before the next one is subscribed.
                    lifetime.close()
                    cell.state.running -= 1
                    holding.add(-1)
                    startWaiting()
                    finishIfDone()
                },
                receive: sink.receive
            )
            do { try start(scope, value, inner) } catch { sink.finish(.failed(error)) }
        }
        // A loop, since a stream that ends immediately would nest the next one within it.
        func startWaiting() {
            if cell.state.isStarting { return }
            cell.state.isStarting = true
            while cell.state.running < concurrency, !sink.isClosed, let value = cell.state.waiting.popFirst() {
                holding.add(-1)
                run(value)
            }
            cell.state.isStarting = false
        }
        let input = Sink<Value>(
            lifetime: sink.lifetime.child(),
            end: { end in
                guard case .completed = end else { return sink.finish(end) }
                cell.state.isCompleted = true
                finishIfDone()
            },
            receive: { value in
                guard cell.state.running >= concurrency else { return run(value) }
                cell.state.waiting.append(value)
                holding.add(1)
            }
        )
        for (value, inner) in scope.restored(Value.self) {
            let lifetime = sink.lifetime.child()
            begin(value, inner(lifetime), lifetime)
        }
        subscribe(scope, input)
    }
}

/// The number of running streams, and the waiting values.
private struct FlatMapState<Value> {
    var running = 0
    var waiting = Deque<Value>()
    var isStarting = false
    var isCompleted = false
}

extension FlatMapState: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("running", \.running), SavedField("waiting", \.waiting),
            SavedField("isCompleted", \.isCompleted),
        ]
    }
}

extension Stage {
    /// Returns a function that starts the stream `to` for an item `a` and emits the result of the expression of `a` and
    /// each item `x` of that stream, or `x` itself without an expression. Sets the type of the items.
    mutating func flattened() -> @Sendable (Scope, CELValue, Sink<CELValue>) throws -> Void {
        let inner = source("to", for: ("a", item))
        let made = compiler.operatorProbe?.starting() ?? { @Sendable in $1 }
        guard let expression = optionalExpression(.flattened(inner.item)) else {
            item = inner.item
            return { scope, value, sink in inner.flow.subscribe(scope.inside(value), made(value, sink)) }
        }
        let policy = errorPolicy
        item = expression.type
        return { scope, outer, sink in
            let inside = scope.inside(outer)
            let function = expression.flatten(scope)
            let sink = made(outer, sink)
            let input = sink.receiving { (value: CELValue) in
                do { sink.receive(try function(outer, value)) } catch { policy.take(error, scope, sink) }
            }
            inner.flow.subscribe(inside, input)
        }
    }
}

extension OperatorKind {
    static let flatMap = OperatorKind(
        "flatMap",
        synonyms: ["mergeMap"],
        summary: "Starts a stream for each value, and merges their values",
        [.source("to"), .expression(isRequired: false), .count("concurrency", least: 1, isRequired: false), .onError]
    ) { stage in
        let start = stage.flattened()
        return stage.input.flattening(stage.optionalCount("concurrency") ?? .max, start)
    }
}

extension Operator {
    /// Starts a stream for each value `a` and emits the result of an expression of `a` and each value `x` of that
    /// stream, or `x` itself without an expression. Expressions within the stream see `a` too.
    ///
    /// ```marbles
    /// 1---2---|
    /// {"flatMap": {"to": {"marbles": {"text": "-5-6|", "frame": 1}}, "expression": "a * 10 + x"}}
    /// -'15'-'16'-'25'-'26'|
    /// ```
    ///
    /// - Parameters:
    ///   - source: The stream that is started for each value.
    ///   - expression: The expression, in CEL.
    ///   - concurrency: The maximum number of streams that run at the same time; further values wait in order.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func flatMap(
        to source: StreamSource,
        _ expression: String? = nil,
        concurrency: Int? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .flatMap,
            [
                "to": .source(source), "expression": expression.map { .string($0) },
                "concurrency": concurrency.map { .int($0) }, "onError": onError.argument,
            ]
        )
    }
}
