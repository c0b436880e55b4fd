extension OperatorKind {
    /// The family of operators that start a stream for each value.
    static let flattening = [flatMap, concatMap, switchMap, exhaustMap, expand, mergeScan, switchScan]
}
