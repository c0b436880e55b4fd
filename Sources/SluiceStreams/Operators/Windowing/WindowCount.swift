import Sluice

extension Flow {
    /// Applies a transformation to each window of `count` values, and emits the results as they come.
    ///
    /// - Parameters:
    ///   - count: The number of values in a window.
    ///   - every: The number of values after which the next window opens; `count` by default. If it is larger, values
    ///     between windows are omitted; if it is smaller, windows overlap.
    ///   - body: A closure that transforms windows. It is called once, with a stream that represents every window.
    public func window<Output>(
        count: Int,
        every: Int? = nil,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<Output> {
        windowing(count: count, every: every, WindowPipeline(body))
    }

    /// Emits each window of `count` values as an array when it closes; open windows, including empty ones, are emitted
    /// at the completion.
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

/// The open windows, the oldest first.
private struct WindowCountState<Value> {
    var open = Deque<Window<Value>>()
    /// The number of values so far.
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
        summary: "Runs operators on each window of count values",
        [
            .count(least: 1).resetting, .count("every", least: 1, isRequired: false).resetting,
            .operators(isRequired: false),
        ]
    ) { stage in
        let pipeline = stage.windowPipeline()
        return stage.input.windowing(count: stage.count(), every: stage.optionalCount("every"), pipeline)
    }
}

extension Operator {
    /// Applies operators to each window of `count` values and emits their output as it comes; without operators, emits
    /// each window as an array when it closes.
    ///
    /// ```marbles
    /// 1-2-3-4-5-|
    /// {"windowCount": {"count": 2}}
    /// --'[1,2]'---'[3,4]'---('[5]'|)
    /// ```
    ///
    /// Windows that are open at the completion close then, including empty ones.
    ///
    /// - Parameters:
    ///   - count: The number of values in a window, from 1.
    ///   - every: The number of values after which the next window opens; `count` by default.
    ///   - operators: The operators that are applied; `nil` for none.
    public static func windowCount(_ count: Int, every: Int? = nil, _ operators: [Operator]? = nil) -> Operator {
        Operator(
            .windowCount,
            ["count": .int(count), "every": every.map { .int($0) }, "operators": operators.map { .operators($0) }]
        )
    }
}
