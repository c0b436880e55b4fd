extension Flow {
    /// Passes on what is made of each window of `count` values, as it comes.
    ///
    /// - Parameters:
    ///   - count: how many values a window holds.
    ///   - every: after how many values the next window opens; `count` where nothing is said. When it is more, values
    ///     between windows are left out; when less, windows overlap.
    ///   - body: called once, with a stream that stands for every window.
    public func window<Output>(
        count: Int,
        every: Int? = nil,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<Output> {
        windowing(count: count, every: every, WindowPipeline(body))
    }

    /// Passes on each window of `count` values as an array when it closes; those that are open at completion are passed
    /// on then, the empty ones too.
    public func window(count: Int, every: Int? = nil) -> Flow<[Value]> {
        window(count: count, every: every) { $0.collect() }
    }

    func windowing<Output>(
        count: Int,
        every: Int?,
        _ pipeline: WindowPipeline<Value, Output>
    ) -> Flow<Output> {
        let size = Swift.max(1, count)
        let every = Swift.max(1, every ?? size)
        return Flow<Output> { [subscribe] scope, sink in
            let windows = Windows(pipeline, scope, sink)
            let cell = scope.cell(WindowCountState<Value>())
            if let reopened = windows.reopened({ _ in sink.receive }) {
                for window in reopened { cell.state.open.append(window) }
            } else {
                cell.state.open.append(windows.open(sink.receive))
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in windows.finish(end, cell.state.open.all) },
                receive: { value in
                    if cell.state.open.count == 1 {
                        cell.state.open.first?.receive(value)
                    } else {
                        for window in cell.state.open.all {
                            guard !sink.isClosed, scope.run.spend() else { return }
                            window.receive(value)
                        }
                    }
                    cell.state.untilOpening = (cell.state.untilOpening + 1) % every
                    cell.state.count += 1
                    let passed = cell.state.count - size
                    if passed >= 0, passed % every == 0, let window = cell.state.open.popFirst() {
                        windows.close(window)
                    }
                    if cell.state.untilOpening == 0 { cell.state.open.append(windows.open(sink.receive)) }
                }
            )
            if !sink.isClosed { subscribe(scope, input) }
        }
    }
}

/// The windows that are open, the oldest first.
private struct WindowCountState<Value> {
    var open = FIFO<Window<Value>>()
    /// How many values came.
    var count = 0
    var untilOpening = 0
}

extension WindowCountState: SavableState {
    static var fields: [SavedField<Self>] {
        [SavedField("count", \.count), SavedField("untilOpening", \.untilOpening)]
    }
}

extension OperatorKind {
    static let windowCount = OperatorKind(
        "windowCount",
        [.count(least: 1), .count("every", least: 1, isRequired: false), .operators(isRequired: false)]
    ) { stage in
        let pipeline = stage.windowPipeline()
        return stage.input.windowing(count: stage.count(), every: stage.optionalCount("every"), pipeline)
    }
}

extension Operator {
    /// Runs operators on each window of `count` values and passes on what they give, as it comes; without operators each
    /// window as an array when it closes.
    ///
    /// ```marbles
    /// 1-2-3-4-5-|
    /// {"windowCount": {"count": 2}}
    /// --'[1,2]'---'[3,4]'---('[5]'|)
    /// ```
    ///
    /// Windows that are open at completion close then, the empty ones too.
    ///
    /// - Parameters:
    ///   - count: how many values a window holds, from 1.
    ///   - every: after how many values the next opens; `count` where nothing is said.
    public static func windowCount(_ count: Int, every: Int? = nil, _ operators: [Operator]? = nil) -> Operator {
        Operator(
            .windowCount,
            ["count": .int(count), "every": every.map { .int($0) }, "operators": operators.map { .operators($0) }]
        )
    }
}
