import SluiceExpressions

extension Flow {
    /// Emits each value with its time in the run.
    public func timestamp() -> Flow<(value: Value, time: StreamTime)> {
        lift { scope, sink in sink.receiving { value in sink.receive((value, scope.run.now)) } }
    }
}

extension OperatorKind {
    static let timestamp = OperatorKind("timestamp", summary: "Emits [x, seconds]: each value with the time of the run")
    { stage in
        stage.item = .list(.dyn)
        return stage.input.timestamp().map { .list([$0.value, .double($0.time.seconds)]) }
    }
}

extension Operator {
    /// Emits `[x, seconds]` for each value: the seconds since the start of the run, as a double.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"timestamp": {}}
    /// -'[1, 1]'-'[2, 3]'-|
    /// ```
    public static let timestamp = Operator(.timestamp)
}
