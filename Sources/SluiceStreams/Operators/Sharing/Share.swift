extension Flow {
    /// Has all subscriptions within a run read one subscription to this stream.
    ///
    /// The first starts it, later ones join, the last to leave stops it; after that, or its end, the next starts it
    /// afresh.
    public func share() -> Flow { shared(SharedStream<Value>.Policy(), isInner: false) }
}

extension OperatorKind {
    static let share = OperatorKind("share") { stage in stage.shared(.init()) }
}

extension Operator {
    /// Has all who refer to the stream within a run read one run of it.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"share": {}}
    /// -1-2-|
    /// ```
    ///
    /// The first starts it, later ones join, the last to leave stops it; after that, or its end, the next starts it
    /// afresh. In a stream that is started for each item of another, those for one item read one run.
    public static let share = Operator(.share)
}
