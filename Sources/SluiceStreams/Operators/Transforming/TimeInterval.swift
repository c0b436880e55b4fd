import SluiceExpressions

extension Flow {
    /// Emits each value with the time since the previous one; the first with the time since the subscription.
    public func timeInterval() -> Flow<(value: Value, interval: Duration)> {
        lift { scope, sink in
            let run = scope.run
            let last = scope.cell(run.now)
            return sink.receiving { value in
                let interval = Duration.nanoseconds(run.now.nanoseconds - last.state.nanoseconds)
                last.state = run.now
                sink.receive((value, interval))
            }
        }
    }
}

extension OperatorKind {
    static let timeInterval = OperatorKind(
        "timeInterval",
        synonyms: ["measureInterval"],
        summary: "Emits [x, seconds]: each value with the time since the previous one"
    ) { stage in
        stage.item = .list(.dyn)
        return stage.input.timeInterval().map { .list([$0.value, .double(StreamTime($0.interval).seconds)]) }
    }
}

extension Operator {
    /// Emits `[x, seconds]` for each value: the seconds since the previous value, or for the first since the
    /// subscription, as a double.
    ///
    /// ```marbles
    /// -1--2-|
    /// {"timeInterval": {}}
    /// -'[1, 1]'--'[2, 3]'-|
    /// ```
    public static let timeInterval = Operator(.timeInterval)
}
