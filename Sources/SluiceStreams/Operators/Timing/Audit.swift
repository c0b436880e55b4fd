extension Flow {
    /// Emits the latest value at the end of each span of `duration`; a span starts with a value that comes outside of a
    /// span. Completion within a span waits for its end.
    public func audit(for duration: Duration) -> Flow {
        let duration = StreamTime(duration)
        return Flow { [subscribe] scope, sink in
            let run = scope.run
            let cell = scope.cell(AuditState<Value>())
            let timer = scope.timer(for: sink.lifetime, lasting: duration) {
                guard let value = cell.state.latest else { return }
                cell.state.latest = nil
                sink.receive(value)
                if cell.state.isCompleted { sink.finish(.completed) }
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if case .completed = end, timer.isArmed {
                        cell.state.isCompleted = true
                    } else {
                        sink.finish(end)
                    }
                },
                receive: { value in
                    cell.state.latest = value
                    if !timer.isArmed, let due = run.due(in: duration) { run.arm(timer, at: due) }
                }
            )
            subscribe(scope, input)
        }
    }
}

/// The latest value of the running span.
private struct AuditState<Value> {
    var latest: Value?
    var isCompleted = false
}

extension AuditState: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [SavedField("latest", \.latest), SavedField("isCompleted", \.isCompleted)]
    }
}

extension OperatorKind {
    static let audit = OperatorKind(
        "audit",
        synonyms: ["auditTime"],
        summary: "Emits the latest value at the end of each period of seconds",
        [.seconds(isRequired: false), .source(isRequired: false)]
    ) { stage in
        if stage.waitsForSource() { return stage.input.auditing(stage.signal()) }
        return stage.input.audit(for: stage.seconds().duration)
    }
}

extension Operator {
    /// Emits the latest value at the end of each span of `seconds`; a span starts with a value that comes outside of a
    /// span. Completion within a span waits for its end.
    ///
    /// ```marbles
    /// 1-2-----3-4|
    /// {"audit": {"seconds": 3}}
    /// ---2-------(4|)
    /// ```
    ///
    /// With `source` in place of `seconds`, the first value of a stream that is started for the first value of a span
    /// ends the span. Expressions of the stream see the value as `a`.
    ///
    /// ```marbles
    /// 1-2-----3-4|
    /// {"audit": {"source": {"timer": {"seconds": 3}}}}
    /// ---2-------(4|)
    /// ```
    public static func audit(seconds: Double) -> Operator { Operator(.audit, ["seconds": .double(seconds)]) }

    /// Emits the latest value when a stream that is started for the first value of a span emits its first value.
    /// Expressions within the stream see the value as `a`.
    public static func audit(until source: StreamSource) -> Operator {
        Operator(.audit, ["source": .source(source)])
    }
}
