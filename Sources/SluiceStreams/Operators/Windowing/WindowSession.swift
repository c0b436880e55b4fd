extension Flow {
    /// Applies a transformation to each session, and emits the results as they come. A session begins with a value that
    /// comes outside of a session, and ends when `gap` passes without a value.
    ///
    /// - Parameters:
    ///   - gap: The time without a value after which a session ends.
    ///   - body: A closure that transforms sessions. It is called once, with a stream that represents every session.
    public func window<Output>(
        withGap gap: Duration,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<Output> {
        windowing(withGap: StreamTime(gap), WindowPipeline(body))
    }

    func windowing<Output>(withGap gap: StreamTime, _ pipeline: WindowPipeline<Value, Output>) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in
            let windows = Windows(pipeline, scope, sink)
            let open = Cell(windows.reopened { _ in sink.receive }?.last)
            let ids = open.state.map { [$0.id] } ?? []
            let timers = IdleTimers(gap, scope, sink.lifetime, open: ids) { _ in
                let window = open.state
                if let window { windows.close(window) }
                open.state = nil
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    timers.removeAll()
                    let last = open.state.map { [$0] } ?? []
                    open.state = nil
                    windows.finish(end, last)
                },
                receive: { value in
                    let window = open.state ?? windows.open(sink.receive)
                    open.state = window
                    window.receive(value)
                    timers.touch(window.id)
                }
            )
            subscribe(scope, input)
        }
    }
}

extension OperatorKind {
    static let windowSession = OperatorKind(
        "windowSession",
        summary: "Runs operators on each session, which ends after some seconds without a value",
        [.seconds(isPositive: true), .operators(isRequired: false)]
    ) { stage in
        let pipeline = stage.windowPipeline()
        return stage.input.windowing(withGap: stage.seconds(), pipeline)
    }
}

extension Operator {
    /// Applies operators to each session and emits their output as it comes. A session begins with a value that comes
    /// outside of a session, and ends when `seconds` pass without a value. Without operators, each session is emitted
    /// as an array when it ends.
    ///
    /// ```marbles
    /// 12-3-----4--5-|
    /// {"windowSession": {"seconds": 3}}
    /// ------'[1,2,3]'-------('[4,5]'|)
    /// ```
    ///
    /// For sessions per key, use `groupBy` with `seconds`.
    ///
    /// - Parameters:
    ///   - seconds: The time without a value after which a session ends, more than 0.
    ///   - operators: The operators that are applied; `nil` for none.
    public static func windowSession(seconds: Double, _ operators: [Operator]? = nil) -> Operator {
        Operator(.windowSession, ["seconds": .double(seconds), "operators": operators.map { .operators($0) }])
    }
}
