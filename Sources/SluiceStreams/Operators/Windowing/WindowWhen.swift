extension Flow {
    /// Passes on what is made of consecutive parts of this stream, as it comes.
    ///
    /// The signal is subscribed again for each part, first before this stream; its completion ends a part as a value
    /// does, its error fails this stream.
    ///
    /// - Parameters:
    ///   - signal: a stream that is subscribed for each part, and ends it with its first value or its completion.
    ///   - body: called once, with a stream that stands for every part.
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
    static let windowWhen = OperatorKind("windowWhen", [.source(), .operators(isRequired: false)]) { stage in
        let signal = stage.source().flow
        let pipeline = stage.windowPipeline()
        return stage.input.windowing(when: signal, pipeline)
    }
}

extension Operator {
    /// Runs operators on each of consecutive parts of the stream and passes on what they give, as it comes: a part lasts
    /// until another stream, which is subscribed again for each part, gives its first value or completes. Without
    /// operators each part is passed on as an array when it closes, also an empty one.
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
