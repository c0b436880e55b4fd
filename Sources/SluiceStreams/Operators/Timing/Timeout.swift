import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Fails when `duration` passes after the subscription, or after a value, with neither a value nor an end; or goes on
    /// with another stream instead, which may take its time.
    ///
    /// - Parameter other: what the stream goes on with in place of the failure.
    public func timeout(_ duration: StreamTime, else other: Flow? = nil) -> Flow {
        timeout(duration, else: other ?? .fail(StreamError(message: "nothing came within \(duration) seconds")))
    }

    private func timeout(_ duration: StreamTime, else other: Flow) -> Flow {
        Flow { [subscribe] scope, sink in
            let run = scope.run
            let isOver = scope.cell(false, "isOver")
            let lifetime = sink.lifetime.child()
            let cell = scope.cell(TimeoutState())
            var timer: Timer?
            // The timer stays armed for its first due time and is then armed for the rest. An item moves it to the end
            // of its instant even where the time stays the same.
            timer = scope.timer(for: lifetime) {
                let (due, order) = (cell.state.due, cell.state.order)
                if run.now < due || run.order < order {
                    if let timer { run.arm(timer, at: due, order: order) }
                } else {
                    lifetime.close()
                    isOver.state = true
                    other.subscribe(scope, sink)
                }
            }
            if scope.isRestoring, isOver.state {
                lifetime.close()
                return other.subscribe(scope, sink)
            }
            func wait() {
                guard !lifetime.isClosed, let timer, let due = run.due(in: duration) else { return }
                cell.state = TimeoutState(due: due, order: run.reserve())
                if !timer.isArmed { run.arm(timer, at: due, order: cell.state.order) }
            }
            let input = Sink<Value>(
                lifetime: lifetime,
                end: sink.finish,
                receive: { value in
                    sink.receive(value)
                    wait()
                }
            )
            subscribe(scope, input)
            if timer?.isArmed == false, !scope.isRestoring { wait() }
        }
    }
}

/// When it is too late.
private struct TimeoutState {
    var due = StreamTime.zero
    var order: Int64 = 0
}

extension TimeoutState: SavableState {
    static var fields: [SavedField<Self>] { [SavedField("due", \.due), SavedField("order", \.order)] }
}

extension OperatorKind {
    static let timeout = OperatorKind("timeout", [.seconds(isPositive: true), .source("else", isRequired: false)]) {
        stage in
        let duration = stage.seconds()
        guard stage.has("else") else {
            let path = stage.place.path.description
            let message = "nothing came within \(duration) seconds"
            return stage.input.timeout(duration, else: .fail(StreamError(path: path, message: message)))
        }
        let other = stage.source("else")
        if other.item != stage.item { stage.item = .dyn }
        return stage.input.timeout(duration, else: other.flow)
    }
}

extension Operator {
    /// Fails when `seconds` pass after the subscription, or after a value, with neither a value nor an end.
    ///
    /// ```marbles
    /// -1-2------3|
    /// {"timeout": {"seconds": 4}}
    /// -1-2---#
    /// ```
    ///
    /// With `else` it leaves the input then and goes on with another stream, which may take its time:
    ///
    /// ```marbles
    /// -1-2------3|
    /// other: --------9|
    /// {"timeout": {"seconds": 4, "else": {"ref": "other"}}}
    /// -1-2-----------9|
    /// ```
    ///
    /// - Parameters:
    ///   - seconds: how long it waits, more than 0.
    ///   - source: what it goes on with in place of the failure.
    public static func timeout(seconds: Double, else source: StreamSource? = nil) -> Operator {
        Operator(.timeout, ["seconds": .double(seconds), "else": source.map { .source($0) }])
    }
}
