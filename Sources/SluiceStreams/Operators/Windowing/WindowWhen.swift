extension Flow {
    /// Applies a transformation to consecutive parts of this stream, and emits the results as they come.
    ///
    /// The signal is subscribed again for each part, first before this stream. Its completion ends a part as a value
    /// does; its error fails this stream.
    ///
    /// - Parameters:
    ///   - signal: A stream that is subscribed for each part, and ends it with its first value or its completion.
    ///   - body: A closure that transforms parts. It is called once, with a stream that represents every part.
    public func window<Signal, Output>(
        when signal: Flow<Signal>,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<Output> {
        windowing(when: signal, WindowPipeline(body))
    }

    func windowing<Signal, Output>(
        when signal: Flow<Signal>,
        _ pipeline: WindowPipeline<Value, Output>
    ) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in
            let windows = Windows(pipeline, scope, sink)
            let open = Cell(windows.reopened { _ in sink.receive }?.last)
            let signals = sink.lifetime.child()
            func finish(_ end: StreamEnd) {
                let last = open.state.map { [$0] } ?? []
                open.state = nil
                windows.finish(end, last)
            }
            Renewal(signal: signal, renewsAtCompletion: true).subscribe(
                scope,
                signals,
                renew: {
                    let former = open.state
                    if let former { windows.close(former) }
                    let next = windows.open(sink.receive)
                    open.state = next
                },
                failed: finish
            )
            guard !sink.isClosed else { return }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    finish(end)
                    signals.close()
                },
                receive: { value in
                    let window = open.state
                    window?.receive(value)
                }
            )
            subscribe(scope, input)
        }
    }
}

extension OperatorKind {
    static let windowWhen = OperatorKind(
        "windowWhen",
        summary: "Runs operators on each window until a stream, started for it, emits",
        [.source(), .operators(isRequired: false)]
    ) { stage in
        let signal = stage.source().flow
        let pipeline = stage.windowPipeline()
        return stage.input.windowing(when: signal, pipeline)
    }
}

extension Operator {
    /// Applies operators to consecutive parts of the stream and emits their output as it comes. A part lasts until
    /// another stream, which is subscribed again for each part, emits its first value or completes. Without operators,
    /// each part is emitted as an array when it closes, even if it is empty.
    ///
    /// ```marbles
    /// 1-2-3-4-|
    /// {"windowWhen": {"source": {"timer": {"seconds": 3}}, "operators": [{"prefix": {"count": 1}}]}}
    /// 1---3---|
    /// ```
    ///
    /// `window` reads the other stream once.
    public static func windowWhen(_ source: StreamSource, _ operators: [Operator]? = nil) -> Operator {
        Operator(.windowWhen, ["source": .source(source), "operators": operators.map { .operators($0) }])
    }
}
