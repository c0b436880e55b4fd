extension OperatorKind {
    /// The family of operators that say many streams, or arrays, of one.
    static let windowing = [
        collectByTime, collectBySource, collectToggle, collectWhen, windowCount, windowTime, window, windowToggle,
        windowWhen, windowSession, groupBy,
    ]
}
