import SluiceExpressions

extension Flow {
    /// Passes on how much time went by before each value: since the one before it, or since the subscription.
    public func measureInterval() -> Flow<StreamTime> {
        lift { scope, sink in
            let run = scope.run
            let last = scope.cell(run.now)
            return sink.receiving { _ in
                let interval = StreamTime(nanoseconds: run.now.nanoseconds - last.state.nanoseconds)
                last.state = run.now
                sink.receive(interval)
            }
        }
    }
}

extension OperatorKind {
    static let measureInterval = OperatorKind("measureInterval") { stage in
        stage.item = .double
        return stage.input.measureInterval().map { .double($0.seconds) }
    }
}

extension Operator {
    /// Passes on, in place of each value, the seconds that went by before it: since the one before, or since the
    /// subscription. `timeInterval` gives the value too.
    ///
    /// ```marbles
    /// --a--b-|
    /// {"measureInterval": {}}
    /// --2--3-|
    /// ```
    public static let measureInterval = Operator(.measureInterval)
}
