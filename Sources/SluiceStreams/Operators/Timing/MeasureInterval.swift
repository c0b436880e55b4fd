import SluiceExpressions

extension Flow {
    /// Emits the time before each value: since the previous one, or since the subscription.
    public func measureInterval() -> Flow<Duration> {
        lift { scope, sink in
            let run = scope.run
            let last = scope.cell(run.now)
            return sink.receiving { _ in
                let interval = Duration.nanoseconds(run.now.nanoseconds - last.state.nanoseconds)
                last.state = run.now
                sink.receive(interval)
            }
        }
    }
}

extension OperatorKind {
    static let measureInterval = OperatorKind(
        "measureInterval",
        summary: "Replaces each value with the seconds since the previous one"
    ) { stage in
        stage.item = .double
        return stage.input.measureInterval().map { .double(StreamTime($0).seconds) }
    }
}

extension Operator {
    /// Emits, in place of each value, the seconds before it: since the previous value, or since the subscription.
    /// `timeInterval` includes the value.
    ///
    /// ```marbles
    /// --a--b-|
    /// {"measureInterval": {}}
    /// --2--3-|
    /// ```
    public static let measureInterval = Operator(.measureInterval)
}
