import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Fails when `duration` passes after the subscription, or after a value, without a value or an end; or continues
    /// with another stream instead, which has no timeout.
    ///
    /// - Parameters:
    ///   - duration: The time without a value or an end after which the stream fails.
    ///   - other: The stream to continue with instead of failing.
    public func timeout(_ duration: Duration, else other: Flow? = nil) -> Flow {
        let time = StreamTime(duration)
        return timing(time, else: other ?? .fail(StreamError(message: "nothing came within \(time) seconds")))
    }

    func timing(_ duration: StreamTime, else other: Flow) -> Flow {
        Flow { [subscribe] scope, sink in
            let run = scope.run
            let isOver = scope.cell(false, "isOver")
            let lifetime = sink.lifetime.child()
            let cell = scope.cell(TimeoutState())
            var timer: Timer?
            if scope.isRestoring {
                // A checkpoint of an earlier version doesn't have the start of the wait; it is of the same document.
                let since = cell.state.since ?? cell.state.due.subtracting(duration)
                cell.state.since = since
                if let end = since?.adding(duration), end != cell.state.due { cell.state.due = Swift.max(run.now, end) }
            }
            // The timer remains armed for its first due time and is then armed for the rest. An item moves it to the
            // end of its instant even if the time is the same.
            timer = scope.timer(for: lifetime, lasting: duration, notes: false) {
                let (due, order) = (cell.state.due, cell.state.order)
                if run.now < due || run.order < order {
                    if let timer { run.arm(timer, at: due, order: order, since: cell.state.since) }
                } else {
                    lifetime.close()
                    isOver.state = true
                    other.subscribe(scope, sink)
                }
            }
            if timer?.isMovedToNow == true, cell.state.due == run.now { scope.node?.noteDueNow() }
            if scope.isRestoring, isOver.state {
                lifetime.close()
                return other.subscribe(scope, sink)
            }
            func wait() {
                guard !lifetime.isClosed, let timer, let due = run.due(in: duration) else { return }
                cell.state = TimeoutState(due: due, order: run.reserve(), since: run.now)
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

/// The time of the timeout, the position of the timer in the order, and the start of the wait.
private struct TimeoutState {
    var due = StreamTime.zero
    var order: Int64 = 0
    /// The start of the wait; `nil` in checkpoints of version 1.
    var since: StreamTime?
}

extension TimeoutState: SavableState {
    static var fields: [SavedField<Self>] {
        [SavedField("due", \.due), SavedField("order", \.savedOrder), SavedField("since", \.since)]
    }

    private var savedOrder: SavedOrder {
        get { SavedOrder(order) }
        set { order = newValue.value }
    }
}

extension OperatorKind {
    static let timeout = OperatorKind(
        "timeout",
        summary: "Fails after some seconds without a value",
        [.seconds(isPositive: true), .source("else", isRequired: false)],
        migrations: [.adding("since", [], to: "state")]
    ) { stage in
        let duration = stage.seconds()
        guard stage.has("else") else {
            let path = stage.scope.path.description
            let message = "nothing came within \(duration) seconds"
            return stage.input.timing(duration, else: .fail(StreamError(path: path, message: message)))
        }
        let other = stage.source("else")
        if other.item != stage.item { stage.item = .dyn }
        return stage.input.timing(duration, else: other.flow)
    }
}

extension Operator {
    /// Fails when `seconds` pass after the subscription, or after a value, without a value or an end.
    ///
    /// ```marbles
    /// -1-2------3|
    /// {"timeout": {"seconds": 4}}
    /// -1-2---#
    /// ```
    ///
    /// With `else`, it cancels the input at that time and continues with another stream, which has no timeout:
    ///
    /// ```marbles
    /// -1-2------3|
    /// other: --------9|
    /// {"timeout": {"seconds": 4, "else": {"ref": "other"}}}
    /// -1-2-----------9|
    /// ```
    ///
    /// - Parameters:
    ///   - seconds: The duration of the timeout, more than 0.
    ///   - source: The stream to continue with instead of failing.
    public static func timeout(seconds: Double, else source: StreamSource? = nil) -> Operator {
        Operator(.timeout, ["seconds": .double(seconds), "else": source.map { .source($0) }])
    }
}
