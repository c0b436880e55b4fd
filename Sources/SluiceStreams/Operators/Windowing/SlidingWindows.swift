import Sluice
import SluiceJSON

extension Flow {
    /// Applies a transformation to each window of `duration`, and emits the results as they come. A window begins with
    /// the subscription, and further ones every `step` after it. Windows overlap if the step is shorter than the
    /// duration, and omit values if it is longer.
    ///
    /// - Parameters:
    ///   - duration: The duration of a window.
    ///   - step: The time from the beginning of a window to that of the next.
    ///   - body: A closure that transforms windows. It is called once, with a stream that represents every window.
    public func window<Output>(
        lasting duration: Duration,
        every step: Duration,
        _ body: (Flow<Value>) -> Flow<Output>
    ) -> Flow<Output> {
        sliding(StreamTime(duration), every: StreamTime(step), WindowPipeline(body))
    }

    func sliding<Output>(
        _ duration: StreamTime,
        every step: StreamTime,
        _ pipeline: WindowPipeline<Value, Output>
    ) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in
            let run = scope.run
            let windows = Windows(pipeline, scope, sink)
            let open = Cell(windows.reopened { _ in sink.receive } ?? [])
            let times = scope.cell(Deque<OpeningTime>(), "openings")
            var opening: Timer?
            var closing: Timer?
            func armClosing() {
                guard let first = times.state.first, let closing, let due = first.time.adding(duration) else { return }
                run.arm(closing, at: Swift.max(due, run.now), order: first.order, since: first.time)
            }
            func armOpening() {
                guard !sink.isClosed, let opening, let due = run.due(in: step) else { return }
                run.arm(opening, at: due)
            }
            func begin() {
                let window = windows.open(sink.receive)
                open.state.append(window)
                guard !sink.isClosed else { return }
                let isFirst = times.state.isEmpty
                times.state.append(OpeningTime(time: run.now, order: run.reserve()))
                if isFirst { armClosing() }
            }
            opening = scope.timer(for: sink.lifetime, lasting: step) {
                begin()
                armOpening()
            }
            closing = scope.timer(for: sink.lifetime, lasting: duration) {
                guard times.state.popFirst() != nil, let window = open.state.first else { return }
                open.state.removeFirst()
                armClosing()
                windows.close(window)
            }
            if !scope.isRestoring {
                armOpening()
                begin()
            } else if times.state.isEmpty, !open.state.isEmpty, let opening, opening.isArmed {
                // An edit has made windows slide: the timer waited for the end of the open one.
                let (since, order) = (opening.since, opening.armed)
                if let due = run.queue.due(of: opening) { run.arm(opening, at: due, since: since) }
                times.state.append(OpeningTime(time: since, order: order))
                armClosing()
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if let opening, let closing {
                        run.disarm(opening)
                        run.disarm(closing)
                    }
                    let last = open.state
                    open.state = []
                    windows.finish(end, last)
                },
                receive: { value in
                    for window in open.state {
                        guard !sink.isClosed, run.spend() else { return }
                        window.receive(value)
                    }
                }
            )
            if !sink.isClosed { subscribe(scope, input) }
        }
    }
}

/// The time at which a window was opened, and the position of its closing in the order.
private struct OpeningTime: Savable {
    let time: StreamTime
    let order: Int64

    init(time: StreamTime, order: Int64) { (self.time, self.order) = (time, order) }

    init(saved json: JSON) throws {
        let place = try TimerPlace(saved: json)
        self.init(time: place.due, order: place.order)
    }

    var saved: JSON { [time.saved, .int(order)] }
}
