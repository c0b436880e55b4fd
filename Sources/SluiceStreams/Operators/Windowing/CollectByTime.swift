import SluiceExpressions

extension Flow {
    /// Emits an array of the values in each span of `duration`, which may be empty; emits the rest at completion.
    ///
    /// - Parameters:
    ///   - duration: The duration of a span.
    ///   - count: The number of values that ends a span early.
    public func collect(every duration: Duration, count: Int? = nil) -> Flow<[Value]> {
        let duration = StreamTime(duration)
        return Flow<[Value]> { [subscribe] scope, sink in
            let run = scope.run
            let items = scope.cell([] as [Value])
            let holding = scope.holding(for: sink.lifetime)
            var timer: Timer?
            func arm() {
                guard !sink.isClosed, let timer, let due = run.due(in: duration) else { return }
                run.arm(timer, at: due)
            }
            func emit() {
                let full = items.state
                items.state = []
                holding.removeAll()
                sink.receive(full)
            }
            timer = scope.timer(for: sink.lifetime, lasting: duration) {
                emit()
                arm()
            }
            if !scope.isRestoring { arm() }
            let lifetime = sink.lifetime.child()
            let input = Sink<Value>(
                lifetime: lifetime,
                end: { end in
                    if case .completed = end {
                        emit()
                        // A shared stream is left before the completion is passed on.
                        lifetime.close()
                    }
                    sink.finish(end)
                },
                receive: { value in
                    items.state.append(value)
                    holding.add(1)
                    guard let count, items.state.count >= count else { return }
                    if let timer { run.disarm(timer) }
                    emit()
                    arm()
                }
            )
            subscribe(scope, input)
        }
    }
}

extension OperatorKind {
    static let collectByTime = OperatorKind(
        "collectByTime",
        synonyms: ["bufferTime"],
        summary: "Collects the values of each period of seconds into an array",
        [.seconds(isPositive: true), .count(least: 1, isRequired: false)]
    ) { stage in
        stage.item = .list(stage.item)
        return stage.input.collect(every: stage.seconds().duration, count: stage.optionalCount()).map { .list($0) }
    }
}

extension Operator {
    /// Emits an array of the values in each span of `seconds`, which may be empty; emits the rest at completion.
    ///
    /// ```marbles
    /// 1-23------4-|
    /// {"collectByTime": {"seconds": 4}}
    /// ----'[1,2,3]'---'[]'---('[4]'|)
    /// ```
    ///
    /// With `count`, a span ends early with that number of values:
    ///
    /// ```marbles
    /// 1-23---4-|
    /// {"collectByTime": {"seconds": 4, "count": 2}}
    /// --'[1,2]'---'[3]'--('[4]'|)
    /// ```
    ///
    /// - Parameters:
    ///   - seconds: The duration of a span, more than 0.
    ///   - count: The number of values that ends a span early, from 1.
    public static func collectByTime(seconds: Double, count: Int? = nil) -> Operator {
        Operator(.collectByTime, ["seconds": .double(seconds), "count": count.map { .int($0) }])
    }
}
