extension Flow {
    /// Emits a value after `duration` has passed without another one; completion emits a waiting value, and an error
    /// drops it.
    public func debounce(for duration: Duration) -> Flow {
        let duration = StreamTime(duration)
        return Flow { [subscribe] scope, sink in
            let run = scope.run
            let cell = scope.cell(DebounceState<Value>())
            var timer: Timer?
            func arm(at due: StreamTime) {
                if let timer { run.arm(timer, at: due, since: cell.state.last) }
            }
            // The timer is armed once for a burst, and then for the rest of the time after its last value.
            timer = scope.timer(for: sink.lifetime, lasting: duration, notes: false) {
                guard let due = cell.state.last.adding(duration) else { return }
                if run.now < due { return arm(at: due) }
                guard let value = cell.state.waiting else { return }
                cell.state.waiting = nil
                sink.receive(value)
            }
            // The timer may be armed for an earlier value than the last.
            if timer?.isMovedToNow == true, let due = cell.state.last.adding(duration), due <= run.now {
                scope.node?.noteDueNow()
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if case .completed = end, let value = cell.state.waiting {
                        cell.state.waiting = nil
                        sink.receive(value)
                    }
                    sink.finish(end)
                },
                receive: { value in
                    cell.state.waiting = value
                    cell.state.last = run.now
                    if timer?.isArmed == false, let due = run.due(in: duration) { arm(at: due) }
                }
            )
            subscribe(scope, input)
        }
    }
}

/// The waiting value, and the time at which it came.
private struct DebounceState<Value> {
    var waiting: Value?
    var last = StreamTime.zero
}

extension DebounceState: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("waiting", \.waiting),
            SavedField("last", \.last),
        ]
    }
}

extension OperatorKind {
    static let debounce = OperatorKind(
        "debounce",
        synonyms: ["debounceTime"],
        summary: "Emits a value after some seconds without another",
        [.seconds(isRequired: false), .source(isRequired: false)]
    ) { stage in
        if stage.waitsForSource() { return stage.input.debouncing(stage.signal()) }
        return stage.input.debounce(for: stage.seconds().duration)
    }
}

extension Operator {
    /// Emits a value after `seconds` have passed without another one; completion emits a waiting value, and an error
    /// drops it.
    ///
    /// ```marbles
    /// 1-23-----4-|
    /// {"debounce": {"seconds": 3}}
    /// ------3----(4|)
    /// ```
    ///
    /// With `source` in place of `seconds`, it waits for the first value of a stream that is started for the value,
    /// which expressions of the stream see as `a`.
    ///
    /// ```marbles
    /// 1-23-----4-|
    /// {"debounce": {"source": {"timer": {"seconds": 3}}}}
    /// ------3----(4|)
    /// ```
    public static func debounce(seconds: Double) -> Operator { Operator(.debounce, ["seconds": .double(seconds)]) }

    /// Emits a value when a stream that is started for it emits its first value, unless another value comes before.
    /// Expressions within the stream see the value as `a`.
    public static func debounce(until source: StreamSource) -> Operator {
        Operator(.debounce, ["source": .source(source)])
    }
}
