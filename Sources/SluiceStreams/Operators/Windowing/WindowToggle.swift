extension Flow {
    /// Applies a transformation to parts of this stream, and emits the results as they come; several parts may be open
    /// at the same time.
    ///
    /// Parts that are open at the completion complete then. The openings are subscribed before this stream. Their
    /// completion is ignored; an error of any of the streams fails this one.
    ///
    /// - Parameters:
    ///   - openings: A stream that opens a part with each value.
    ///   - start: A closure that the run calls for each opening; the first value of its stream closes the part. An
    ///     error that it throws fails the stream.
    ///   - body: A closure that transforms parts. It is called once, with a stream that represents every part.
    public func window<Opening, Signal, Output>(
        from openings: Flow<Opening>,
        until start: @escaping @Sendable (Opening) throws -> Flow<Signal>,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<Output> {
        let toggle = Toggle<Opening, Signal>(openings) { scope, opening, sink in
            try start(opening).subscribe(scope, sink)
        }
        return windowing(toggle, WindowPipeline(body))
    }

    func windowing<Opening, Signal, Output>(
        _ toggle: Toggle<Opening, Signal>,
        _ pipeline: WindowPipeline<Value, Output>
    ) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in
            let windows = Windows(pipeline, scope, sink)
            // The parts are numbered as the windows are.
            let open = Cell(windows.reopened { _ in sink.receive } ?? [])
            let signals = sink.lifetime.child()
            toggle.subscribe(
                scope,
                signals,
                opened: { _ in
                    let window = windows.open(sink.receive)
                    open.state.append(window)
                },
                closed: { id in
                    guard let index = open.state.firstIndex(where: { $0.id == id }) else { return }
                    let window = open.state.remove(at: index)
                    windows.close(window)
                },
                failed: { end in windows.finish(end, open.state) }
            )
            guard !sink.isClosed else { return }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    let windowsLeft = open.state
                    open.state = []
                    windows.finish(end, windowsLeft)
                    signals.close()
                },
                receive: { value in
                    for window in open.state {
                        guard !sink.isClosed, scope.run.spend() else { return }
                        window.receive(value)
                    }
                }
            )
            subscribe(scope, input)
        }
    }
}

extension OperatorKind {
    static let windowToggle = OperatorKind(
        "windowToggle",
        summary: "Runs operators on windows that one stream opens and another closes",
        [.source(), .source("until"), .operators(isRequired: false)]
    ) { stage in
        let toggle = stage.toggle()
        let pipeline = stage.windowPipeline()
        return stage.input.windowing(toggle, pipeline)
    }
}

extension Operator {
    /// Applies operators to each part of the stream and emits their output as it comes. A part begins with each value
    /// of another stream, and lasts until a stream that is started for that value emits its first value. Without
    /// operators, each part is emitted as an array when it closes. Parts may overlap. Expressions of `until` see the
    /// value that opened the part as `a`.
    ///
    /// ```marbles
    /// -1-2-3-4-5-|
    /// opening: --a---b--
    /// {"windowToggle": {"source": {"ref": "opening"}, "until": {"timer": {"seconds": 3}},
    ///                   "operators": [{"prefix": {"count": 1}}]}}
    /// ---2---4---|
    /// ```
    public static func windowToggle(
        _ source: StreamSource,
        until closing: StreamSource,
        _ operators: [Operator]? = nil
    ) -> Operator {
        Operator(
            .windowToggle,
            [
                "source": .source(source), "until": .source(closing), "operators": operators.map { .operators($0) },
            ]
        )
    }
}
