extension Flow {
    /// Applies a transformation to each window, and emits the results as they come; a window lasts until another stream
    /// emits a value.
    ///
    /// The other stream is subscribed after this one. Its completion is ignored; its error fails this stream.
    ///
    /// - Parameters:
    ///   - signal: The stream whose values end a window.
    ///   - body: A closure that transforms windows. It is called once, with a stream that represents every
    ///     window.
    public func window<Signal, Output>(
        on signal: Flow<Signal>,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<Output> {
        windowing(on: signal, WindowPipeline(body))
    }

    func windowing<Signal, Output>(
        on signal: Flow<Signal>,
        _ pipeline: WindowPipeline<Value, Output>
    ) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in
            let windows = Windows(pipeline, scope, sink, sealsLast: true)
            let reopened = windows.reopened { _ in sink.receive }
            let open = Cell(reopened.map { $0.last ?? Window(0) } ?? windows.open(sink.receive))
            let signals = sink.lifetime.child()
            let isOver = Cell(false)
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    isOver.state = true
                    windows.finish(end, CollectionOfOne(open.state))
                    signals.close()
                },
                receive: { value in open.state.receive(value) }
            )
            guard !sink.isClosed else { return }
            subscribe(scope, input)
            guard !signals.isClosed else { return }
            let signaled = Sink<Signal>(
                lifetime: signals,
                end: { end in if case .failed = end { windows.finish(end, CollectionOfOne(open.state)) } },
                receive: { _ in
                    if isOver.state { return }
                    windows.close(open.state)
                    let next = windows.open(sink.receive)
                    open.state = next
                }
            )
            signal.subscribe(scope, signaled)
        }
    }
}

extension OperatorKind {
    static let window = OperatorKind(
        "window",
        summary: "Runs operators on each window; another stream ends it",
        [.source(), .operators(isRequired: false)]
    ) { stage in
        let signal = stage.source().flow
        let pipeline = stage.windowPipeline()
        return stage.input.windowing(on: signal, pipeline)
    }
}

extension Operator {
    /// Applies operators to each window and emits their output as it comes; a window lasts until another stream emits a
    /// value. Without operators, each window is emitted as an array when it closes, even if it is empty.
    ///
    /// ```marbles
    /// 1-2-3-4-|
    /// signal: ---x-
    /// {"window": {"source": {"ref": "signal"}, "operators": [{"prefix": {"count": 1}}]}}
    /// 1---3---|
    /// ```
    public static func window(_ source: StreamSource, _ operators: [Operator]? = nil) -> Operator {
        Operator(.window, ["source": .source(source), "operators": operators.map { .operators($0) }])
    }
}
