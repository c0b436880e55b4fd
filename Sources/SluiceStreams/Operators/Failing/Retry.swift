extension Flow {
    /// Subscribes again when the stream fails.
    ///
    /// - Parameters:
    ///   - count: The maximum number of further subscriptions; then the error passes.
    ///   - delay: The delay after the failure; none by default.
    ///   - resets: A Boolean value that indicates whether a value resets the number of used retries to 0.
    public func retry(_ count: Int, delay: Duration? = nil, resetOnSuccess resets: Bool = false) -> Flow {
        resubscribing(after: delay.map { StreamTime($0) }) { used, end in
            guard case .failed = end else { return false }
            return used < count
        } whenReceived: { used in
            if resets { used = 0 }
        }
    }

    /// Subscribes again at an end for which `again` returns `true`; it receives the number of times that it has done
    /// so.
    func resubscribing(
        after delay: StreamTime?,
        while again: @escaping @Sendable (Int, StreamEnd) -> Bool,
        whenReceived: (@Sendable (inout Int) -> Void)? = nil
    ) -> Flow {
        Flow { [subscribe] scope, sink in
            let run = scope.run
            let used = scope.cell(0)
            let isStarting = Cell(false)
            let isDue = Cell(false)
            var timer: Timer?
            // A loop, since a stream that ends immediately would nest the next one within it.
            func start() {
                isDue.state = true
                if isStarting.state { return }
                isStarting.state = true
                defer { isStarting.state = false }
                while isDue.state, !sink.isClosed, run.spend() {
                    isDue.state = false
                    subscribeAgain()
                }
            }
            func subscribeAgain() {
                let lifetime = sink.lifetime.child()
                let input = Sink<Value>(
                    lifetime: lifetime,
                    end: { end in
                        guard again(used.state, end) else { return sink.finish(end) }
                        // A shared input is left before it is read again, so that it starts from the beginning.
                        lifetime.close()
                        used.state += 1
                        guard let delay else { return start() }
                        if let timer, let due = run.due(in: delay) { run.arm(timer, at: due) }
                    },
                    receive: { value in
                        whenReceived?(&used.state)
                        sink.receive(value)
                    }
                )
                subscribe(scope, input)
            }
            timer = scope.timer(for: sink.lifetime, lasting: delay ?? .zero) { start() }
            // While it waits for the next attempt, there is nothing to subscribe to.
            if scope.isRestoring { subscribeAgain() } else { start() }
        }
    }
}

extension OperatorKind {
    static let retry = OperatorKind(
        "retry",
        summary: "Subscribes again after a failure, at most count times",
        [.count(), .seconds(isRequired: false), .source(isRequired: false), .bool("resetOnSuccess")]
    ) { stage in
        let resets = stage.bool("resetOnSuccess", default: false)
        if stage.waitsForSource(isRequired: false) {
            return stage.input.retrying(stage.count(), resets, stage.signalForEnd())
        }
        return stage.input.retry(stage.count(), delay: stage.optionalSeconds()?.duration, resetOnSuccess: resets)
    }
}

extension Operator {
    /// Subscribes again when the stream fails, at most `count` times, after `seconds` or immediately.
    ///
    /// ```marbles
    /// -1-#
    /// {"retry": {"count": 1}}
    /// -1--1-#
    /// ```
    ///
    /// With `source` in place of `seconds`, it waits for the first value of a stream that is started for the failure;
    /// if that stream completes without a value, the whole stream completes. Expressions of the stream see `error`, the
    /// message of the error, and `attempt`, the number of the failed attempt, from 1.
    ///
    /// ```marbles
    /// -1-#
    /// {"retry": {"count": 5, "source": {
    ///     "source": {"values": [0]}, "operators": [{"filter": {"expression": "attempt < 2"}}]}}}
    /// -1--1-|
    /// ```
    ///
    /// - Parameters:
    ///   - count: The maximum number of further subscriptions.
    ///   - seconds: The wait; `nil` for none.
    ///   - resetOnSuccess: A Boolean value that indicates whether a value resets the number of used retries to
    ///     0.
    public static func retry(_ count: Int, seconds: Double? = nil, resetOnSuccess: Bool = false) -> Operator {
        Operator(
            .retry,
            [
                "count": .int(count), "seconds": seconds.map { .double($0) },
                "resetOnSuccess": resetOnSuccess ? .bool(true) : nil,
            ]
        )
    }

    /// Subscribes again when the stream fails, at the first value of a stream that is started for the failure.
    /// Expressions of that stream see `error` and `attempt`.
    public static func retry(_ count: Int, when source: StreamSource, resetOnSuccess: Bool = false) -> Operator {
        Operator(
            .retry,
            [
                "count": .int(count), "source": .source(source),
                "resetOnSuccess": resetOnSuccess ? .bool(true) : nil,
            ]
        )
    }
}
