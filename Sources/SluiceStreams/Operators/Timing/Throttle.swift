extension Flow {
    /// Emits at most one value in each span of `duration`; a span starts with a value that comes outside of a span.
    ///
    /// - Parameters:
    ///   - duration: The duration of a span.
    ///   - leading: A Boolean value that indicates whether the value that starts a span is emitted immediately.
    ///   - trailing: A Boolean value that indicates whether the last value within a span is emitted at its end, and
    ///     starts the next span. Completion waits for it.
    public func throttle(for duration: Duration, leading: Bool = true, trailing: Bool = false) -> Flow {
        let duration = StreamTime(duration)
        return Flow { [subscribe] scope, sink in
            let run = scope.run
            let cell = scope.cell(ThrottleState<Value>())
            var timer: Timer?
            func startSpan() {
                guard let timer, !sink.isClosed, let due = run.due(in: duration) else { return }
                run.arm(timer, at: due)
            }
            func send() {
                guard let value = cell.state.waiting else { return }
                cell.state.waiting = nil
                sink.receive(value)
                if !cell.state.isCompleted { startSpan() }
            }
            timer = scope.timer(for: sink.lifetime, lasting: duration) {
                guard trailing else { return }
                send()
                if cell.state.isCompleted { sink.finish(.completed) }
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    let waits = trailing && cell.state.waiting != nil && timer?.isArmed == true
                    if case .completed = end, waits { cell.state.isCompleted = true } else { sink.finish(end) }
                },
                receive: { value in
                    cell.state.waiting = value
                    if timer?.isArmed == true { return }
                    if leading { send() } else { startSpan() }
                }
            )
            subscribe(scope, input)
        }
    }
}

/// The last value that was not emitted.
private struct ThrottleState<Value> {
    var waiting: Value?
    var isCompleted = false
}

extension ThrottleState: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("waiting", \.waiting),
            SavedField("isCompleted", \.isCompleted),
        ]
    }
}

extension OperatorKind {
    static let throttle = OperatorKind(
        "throttle",
        synonyms: ["throttleTime"],
        summary: "Emits at most one value in each period of seconds",
        [.seconds(isRequired: false), .source(isRequired: false), .bool("leading"), .bool("trailing")]
    ) { stage in
        let leading = stage.bool("leading", default: true)
        let trailing = stage.bool("trailing", default: false)
        if stage.waitsForSource() { return stage.input.throttling(leading, trailing, stage.signal()) }
        return stage.input.throttle(for: stage.seconds().duration, leading: leading, trailing: trailing)
    }
}

extension Operator {
    /// Emits at most one value in each span of `seconds`; a span starts with a value that comes outside of a span.
    ///
    /// ```marbles
    /// 12--3-4---5-|
    /// {"throttle": {"seconds": 3}}
    /// 1---3-----5-|
    /// ```
    ///
    /// With `trailing`, the last value of a span is emitted at its end and starts the next span; completion waits for
    /// it:
    ///
    /// ```marbles
    /// 12-----3|
    /// {"throttle": {"seconds": 3, "leading": false, "trailing": true}}
    /// ---2------(3|)
    /// ```
    ///
    /// With `source` in place of `seconds`, the first value or the completion of a stream that is started for the first
    /// value of a span ends the span. Expressions of the stream see the value as `a`.
    ///
    /// ```marbles
    /// 12--3-4---5-|
    /// {"throttle": {"source": {"timer": {"seconds": 3}}}}
    /// 1---3-----5-|
    /// ```
    ///
    /// Combine's `latest: false` is the default here, and its `latest: true` is `trailing: true`. At completion,
    /// Combine emits a waiting value immediately.
    ///
    /// - Parameters:
    ///   - seconds: The duration of a span.
    ///   - leading: A Boolean value that indicates whether the value that starts a span is emitted immediately.
    ///   - trailing: A Boolean value that indicates whether the last value within a span is emitted at its end.
    public static func throttle(seconds: Double, leading: Bool = true, trailing: Bool = false) -> Operator {
        Operator(
            .throttle,
            [
                "seconds": .double(seconds), "leading": leading ? nil : .bool(false),
                "trailing": trailing ? .bool(true) : nil,
            ]
        )
    }

    /// Emits at most one value in each span. A span ends with the first value or the completion of a stream that is
    /// started for the first value of the span. Expressions within the stream see the value as `a`.
    public static func throttle(
        until source: StreamSource,
        leading: Bool = true,
        trailing: Bool = false
    ) -> Operator {
        Operator(
            .throttle,
            [
                "source": .source(source), "leading": leading ? nil : .bool(false),
                "trailing": trailing ? .bool(true) : nil,
            ]
        )
    }
}
