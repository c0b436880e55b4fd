import SluiceExpressions
public import SluiceJSON

extension Flow {
    /// Starts a stream for each value and the latest result, cancels the previous stream, and emits its values, each of
    /// which is the next result.
    ///
    /// Completes when this stream and the latest one have completed; fails with the first that fails.
    ///
    /// - Parameters:
    ///   - initialValue: The first result, which is not emitted.
    ///   - start: A closure that the run calls for each value; an error that it throws fails the stream.
    public func switchScan<State: Sendable>(
        _ initialValue: State,
        _ start: @escaping @Sendable (State, Value) throws -> Flow<State>
    ) -> Flow<State> {
        switchScanning(initialValue) { scope, state, value, sink in try start(state, value).subscribe(scope, sink) }
    }

    func switchScanning<State: Sendable>(
        _ initialValue: State,
        _ start: @escaping @Sendable (Scope, State, Value, Sink<State>) throws -> Void
    ) -> Flow<State> {
        Flow<State> { scope, sink in
            let latest = scope.cell(initialValue, "acc")
            switchOver(scope, sink, Self.accumulating(latest, start))
        }
    }
}

extension OperatorKind {
    static let switchScan = OperatorKind(
        "switchScan",
        summary: "Starts a stream for each value and the latest result, and cancels the previous one",
        [.value("initialValue").resetting, .source("to")]
    ) { stage in
        let initial = stage.value("initialValue")
        let start = stage.accumulated()
        return stage.input.switchScanning(initial, start)
    }
}

extension Operator {
    /// Starts a stream for each value `a` and the accumulator `acc`, cancels the previous one, and emits its values,
    /// each of which is the next accumulator. Expressions of the stream see both as they are when it starts.
    ///
    /// ```marbles
    /// 1-2-----|
    /// {"switchScan": {"initialValue": 1, "to": {
    ///     "source": {"interval": {"seconds": 1}}, "operators": [{"map": {"expression": "acc + a"}}, {"prefix": {"count": 2}}]}}}
    /// -2-44---|
    /// ```
    ///
    /// - Parameters:
    ///   - initialValue: The initial `acc`, which is not emitted.
    ///   - source: The stream that is started for each value and gives the next states.
    public static func switchScan(_ initialValue: JSON, to source: StreamSource) -> Operator {
        Operator(.switchScan, ["initialValue": .json(initialValue), "to": .source(source)])
    }
}
