extension Flow {
    /// Emits, every `period`, the latest value since the last time, if any.
    public func sample(every period: Duration) -> Flow {
        sample(on: Flow<Int64>.ticks(StreamTime(period), first: StreamTime(period), count: nil))
    }
}

extension OperatorKind {
    static let sampleTime = OperatorKind(
        "sampleTime",
        summary: "Emits the latest value at a regular interval",
        [.seconds(isPositive: true)]
    ) { stage in
        stage.input.sample(every: stage.seconds().duration)
    }
}

extension Operator {
    /// Emits, every `seconds` after the subscription, the latest value since the last time, if any; completion drops a
    /// waiting value.
    ///
    /// ```marbles
    /// 12-----3-4|
    /// {"sampleTime": {"seconds": 3}}
    /// ---2-----4|
    /// ```
    ///
    /// - Parameter seconds: The period, more than 0.
    public static func sampleTime(seconds: Double) -> Operator { Operator(.sampleTime, ["seconds": .double(seconds)]) }
}
