extension OperatorKind {
    /// The family of operators that divide a stream into many streams or arrays.
    static let windowing = [
        collectByTime, collectBySource, collectToggle, collectWhen, windowCount, windowTime, window, windowToggle,
        windowWhen, windowSession, groupBy,
    ]
}
