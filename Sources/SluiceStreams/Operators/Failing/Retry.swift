extension Flow {
    /// Subscribes again when the stream fails.
    ///
    /// - Parameters:
    ///   - count: how often; then the error passes.
    ///   - delay: how long after the failure; at once without it.
    ///   - resets: whether a value sets the retries that were used back to 0.
    public func retry(_ count: Int, delay: StreamTime? = nil, resetOnSuccess resets: Bool = false) -> Flow {
        resubscribing(after: delay) { used, end in
            guard case .failed = end else { return false }
            return used < count
        } whenReceived: { used in
            if resets { used = 0 }
        }
    }

    /// Subscribes again at an end for which `again` holds: it is given how often that was done.
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
            // A loop, since a stream that ends at once would nest the next within it.
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
                        // A shared input is left before it is read again, so that it starts afresh.
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
            // While it waits for the next try there is nothing to subscribe to.
            if scope.isRestoring { subscribeAgain() } else { start() }
        }
    }
}

extension OperatorKind {
    static let retry = OperatorKind(
        "retry",
        [.count(), .seconds(isRequired: false), .source(isRequired: false), .bool("resetOnSuccess")]
    ) { stage in
        let resets = stage.bool("resetOnSuccess", default: false)
        if stage.waitsForSource(isRequired: false) {
            return stage.input.retrying(stage.count(), resets, stage.signalForEnd())
        }
        return stage.input.retry(stage.count(), delay: stage.optionalSeconds(), resetOnSuccess: resets)
    }
}

extension Operator {
    /// Subscribes again when the stream fails, at most `count` times, `seconds` after the failure or at once.
    ///
    /// ```marbles
    /// -1-#
    /// {"retry": {"count": 1}}
    /// -1--1-#
    /// ```
    ///
    /// With `source` in place of `seconds` it waits for the first value of a stream that is started for the failure;
    /// where that completes without one, the stream completes. Expressions of the stream see `error`, the text of the
    /// error, and `attempt`, the number of the attempt that failed, from 1.
    ///
    /// ```marbles
    /// -1-#
    /// {"retry": {"count": 5, "source": {
    ///     "source": {"values": [0]}, "operators": [{"filter": {"expression": "attempt < 2"}}]}}}
    /// -1--1-|
    /// ```
    ///
    /// - Parameter resetOnSuccess: whether a value sets the retries that were used back to 0.
    public static func retry(_ count: Int, seconds: Double? = nil, resetOnSuccess: Bool = false) -> Operator {
        Operator(
            .retry,
            [
                "count": .int(count), "seconds": seconds.map { .double($0) },
                "resetOnSuccess": resetOnSuccess ? .bool(true) : nil,
            ]
        )
    }

    /// Subscribes again when the stream fails, each time that a stream that is started for the failure gives a value.
    /// Within that stream, expressions see `error` and `attempt`.
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
