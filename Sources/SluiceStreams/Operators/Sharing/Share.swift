extension Flow {
    /// Shares one subscription to this stream among all its subscribers within a run.
    ///
    /// The first subscriber starts the stream, later ones join, and the last to leave stops it. After that, or after
    /// its end, the next subscriber starts it from the beginning.
    public func share() -> Flow { shared(SharedStream<Value>.Policy(), isInner: false) }
}

extension OperatorKind {
    static let share = OperatorKind("share", summary: "Shares one run of the stream among all references to it") {
        stage in stage.shared(.init())
    }
}

extension Operator {
    /// Shares one run of the stream among all references to it within a run.
    ///
    /// ```marbles
    /// -1-2-|
    /// {"share": {}}
    /// -1-2-|
    /// ```
    ///
    /// The first subscriber starts the stream, later ones join, and the last to leave stops it. After that, or after
    /// its end, the next subscriber starts it from the beginning. Within a stream that is started for each item of
    /// another, the subscribers for the same item share a run.
    public static let share = Operator(.share)
}
