import SluiceExpressions

extension Flow<Int> {
    /// Returns a stream of 0, 1, 2, … every `period`, the first after `first` (by default a period): `count` values, or
    /// without end.
    public static func interval(_ period: Duration, first: Duration? = nil, count: Int? = nil) -> Flow {
        Flow<Int64>.ticks(StreamTime(period), first: StreamTime(first ?? period), count: count).map { Int($0) }
    }

    /// Returns a stream that emits 0 after `duration`, and completes.
    public static func timer(_ duration: Duration) -> Flow { interval(.zero, first: duration, count: 1) }
}

extension Flow<Int64> {
    /// - Parameters:
    ///   - first: The time until the first tick.
    ///   - count: The number of ticks; `nil` for no end.
    static func ticks(_ period: StreamTime, first: StreamTime, count: Int?) -> Flow {
        Flow { scope, sink in
            guard count != 0 else { return sink.finish(.completed) }
            let run = scope.run
            let next = scope.cell(0)
            var timer: Timer?
            func arm(_ duration: StreamTime) {
                if let due = run.due(in: duration), let timer { run.arm(timer, at: due) }
            }
            let isOver = count.map { next.state >= $0 } ?? false
            // An edit may have lowered the count below the number of emitted ticks: then it completes immediately.
            timer = scope.timer(for: sink.lifetime, lasting: isOver ? .zero : next.state == 0 ? first : period) {
                if let count, next.state >= count { return sink.finish(.completed) }
                let index = next.state
                next.state += 1
                sink.receive(Int64(index))
                if sink.isClosed { return }
                if let count, next.state >= count { return sink.finish(.completed) }
                // The next tick comes after the timers that this one armed for the same time, as with a scheduler of
                // RxJS.
                arm(period)
            }
            if let timer {
                run.mayBeBehind(timer, every: period, for: sink.lifetime) { wanted in
                    // The last tick of a source that ends is never left out.
                    let skipped = count.map { Swift.min(wanted, Swift.max(0, $0 - next.state - 1)) } ?? wanted
                    next.state += skipped
                    return skipped
                }
            }
            if !scope.isRestoring { arm(first) }
        }
    }
}

extension SourceKind {
    /// Emits 0, 1, 2, … every `seconds` (more than 0), without end or `count` values; the first after `first` seconds,
    /// if given.
    ///
    /// ```marbles
    /// {"interval": {"seconds": 2, "first": 1, "count": 3}}
    /// -0-1-(2|)
    /// ```
    static let interval = SourceKind(
        "interval",
        summary: "Emits 0, 1, 2, … at a regular interval",
        [.seconds(isPositive: true), .seconds("first", isRequired: false), .count(isRequired: false)]
    ) { stage in
        stage.item = .int
        let period = stage.seconds()
        let first = stage.optionalSeconds("first") ?? period
        return Flow.ticks(period, first: first, count: stage.optionalCount()).map { .int($0) }
    }

    /// Emits 0 after `seconds`, and completes.
    ///
    /// ```marbles
    /// {"timer": {"seconds": 3}}
    /// ---(0|)
    /// ```
    static let timer = SourceKind("timer", summary: "Emits 0 after some seconds, then completes", [.seconds()]) {
        stage in
        stage.item = .int
        return Flow.ticks(.zero, first: stage.seconds(), count: 1).map { .int($0) }
    }
}
