extension Flow {
    /// Applies a transformation to each window of `duration`, and emits the results as they come.
    ///
    /// - Parameters:
    ///   - duration: The duration of a window; the first begins with the subscription, each further one with the end of
    ///     the previous.
    ///   - body: A closure that transforms windows. It is called once, with a stream that represents every window.
    public func window<Output>(
        every duration: Duration,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<Output> {
        windowing(every: StreamTime(duration), WindowPipeline(body))
    }

    func windowing<Output>(every duration: StreamTime, _ pipeline: WindowPipeline<Value, Output>) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in
            let run = scope.run
            let windows = Windows(pipeline, scope, sink)
            let reopened = windows.reopened { _ in sink.receive }
            let open = Cell(reopened.map { $0.last ?? Window(0) } ?? windows.open(sink.receive))
            var timer: Timer?
            func arm() {
                guard !sink.isClosed, let timer, let due = run.due(in: duration) else { return }
                run.arm(timer, at: due)
            }
            timer = scope.timer(for: sink.lifetime, lasting: duration) {
                windows.close(open.state)
                let next = windows.open(sink.receive)
                open.state = next
                arm()
            }
            if reopened == nil { arm() }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if let timer { run.disarm(timer) }
                    windows.finish(end, CollectionOfOne(open.state))
                },
                receive: { value in open.state.receive(value) }
            )
            if !sink.isClosed { subscribe(scope, input) }
        }
    }
}

extension OperatorKind {
    static let windowTime = OperatorKind(
        "windowTime",
        summary: "Runs operators on each window of seconds",
        [
            .seconds(isPositive: true), .seconds("every", isPositive: true, isRequired: false).resettingWhenRemoved,
            .operators(isRequired: false),
        ]
    ) { stage in
        let pipeline = stage.windowPipeline()
        if let step = stage.optionalSeconds("every") {
            return stage.input.sliding(stage.seconds(), every: step, pipeline)
        }
        return stage.input.windowing(every: stage.seconds(), pipeline)
    }
}

extension Operator {
    /// Applies operators to each window of `seconds` and emits their output as it comes; without operators, emits each
    /// window as an array when it closes, even if it is empty.
    ///
    /// ```marbles
    /// 1-2---3-|
    /// {"windowTime": {"seconds": 5, "operators": [{"prefix": {"count": 1}}]}}
    /// 1-----3-|
    /// ```
    ///
    /// The first window begins with the subscription, each further one with the end of the previous.
    ///
    /// With `every`, the windows slide: one begins with the subscription, and a further one every that many seconds
    /// after it.
    ///
    /// ```marbles
    /// 1-2-3-4|
    /// {"windowTime": {"seconds": 4, "every": 2}}
    /// ----'[1,2]'-'[2,3,4]'('[4]' '[]'|)
    /// ```
    ///
    /// - Parameters:
    ///   - seconds: The duration of a window, more than 0.
    ///   - step: The time from the beginning of a window to that of the next, more than 0.
    ///   - operators: The operators that are applied; `nil` for none.
    public static func windowTime(
        seconds: Double,
        every step: Double? = nil,
        _ operators: [Operator]? = nil
    ) -> Operator {
        Operator(
            .windowTime,
            [
                "seconds": .double(seconds), "every": step.map { .double($0) },
                "operators": operators.map { .operators($0) },
            ]
        )
    }
}
