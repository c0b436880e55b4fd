import SluiceExpressions
public import SluiceJSON

extension Flow {
    /// Starts a stream for each value and the latest result, and emits its values, each of which is the next result.
    ///
    /// Completes when this stream and all started streams have completed; fails with the first that fails.
    ///
    /// - Parameters:
    ///   - initialValue: The first result, which is not emitted.
    ///   - concurrency: The maximum number of streams that run at the same time; further values wait in order.
    ///   - start: A closure that the run calls when the stream of a value is to start; an error that it throws fails
    ///     the stream.
    public func mergeScan<State: Sendable>(
        _ initialValue: State,
        concurrency: Int = .max,
        _ start: @escaping @Sendable (State, Value) throws -> Flow<State>
    ) -> Flow<State> {
        mergeScanning(initialValue, concurrency) { scope, state, value, sink in
            try start(state, value).subscribe(scope, sink)
        }
    }

    func mergeScanning<State: Sendable>(
        _ initialValue: State,
        _ concurrency: Int,
        _ start: @escaping @Sendable (Scope, State, Value, Sink<State>) throws -> Void
    ) -> Flow<State> {
        Flow<State> { scope, sink in
            let latest = scope.cell(initialValue, "acc")
            flatten(concurrency, scope, sink, Self.accumulating(latest, start))
        }
    }

    /// Returns a function that starts the stream of a value with the result that is the latest at that time.
    static func accumulating<State: Sendable>(
        _ latest: Cell<State>,
        _ start: @escaping @Sendable (Scope, State, Value, Sink<State>) throws -> Void
    ) -> (Scope, Value, Sink<State>) throws -> Void {
        { scope, value, sink in
            // Kept with the stream, which may be started again from a checkpoint.
            let seen = scope.cell(latest.state, "seen")
            let output = sink.receiving { (state: State) in
                latest.state = state
                sink.receive(state)
            }
            try start(scope, seen.state, value, output)
        }
    }
}

extension Stage {
    /// Returns a function that starts the stream `to` for an accumulator `acc` and an item `a`. Sets the type of the items.
    mutating func accumulated() -> @Sendable (Scope, CELValue, CELValue, Sink<CELValue>) throws -> Void {
        let flow = source("to", within: [("a", item), ("acc", .dyn)]).flow
        item = .dyn
        let made = compiler.operatorProbe?.starting() ?? { @Sendable in $1 }
        return { scope, state, value, sink in
            flow.subscribe(scope.inside(value).inside(state), made(value, sink))
        }
    }
}

extension OperatorKind {
    static let mergeScan = OperatorKind(
        "mergeScan",
        summary: "Starts a stream for each value and the latest result; its values become the result",
        [.value("initialValue").resetting, .source("to"), .count("concurrency", least: 1, isRequired: false)]
    ) { stage in
        let initial = stage.value("initialValue")
        let start = stage.accumulated()
        return stage.input.mergeScanning(initial, stage.optionalCount("concurrency") ?? .max, start)
    }
}

extension Operator {
    /// Starts a stream for each value `a` and the accumulator `acc`, and emits its values, each of which is the next
    /// accumulator. Expressions of the stream see both as they are when it starts.
    ///
    /// ```marbles
    /// 1---2---|
    /// {"mergeScan": {"initialValue": 10, "to": {
    ///     "source": {"timer": {"seconds": 1}}, "operators": [{"map": {"expression": "acc + a"}}]}}}
    /// -'11'---'13'--|
    /// ```
    ///
    /// - Parameters:
    ///   - initialValue: The initial `acc`, which is not emitted.
    ///   - source: The stream that is started for each value and gives the next states.
    ///   - concurrency: The maximum number of streams that run at the same time; further values wait in order.
    public static func mergeScan(
        _ initialValue: JSON,
        to source: StreamSource,
        concurrency: Int? = nil
    ) -> Operator {
        Operator(
            .mergeScan,
            [
                "initialValue": .json(initialValue), "to": .source(source),
                "concurrency": concurrency.map { .int($0) },
            ]
        )
    }
}
