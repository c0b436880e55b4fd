extension OperatorKind {
    /// The family of operators that say many streams, or arrays, of one.
    static let windowing = [
        collectByTime, collectBySource, windowCount, windowTime, window, groupBy,
    ]
}
