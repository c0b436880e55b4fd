extension OperatorKind {
    /// The family of operators that add values of other streams.
    static let combining = [
        append, prepend, merge, zip, combineLatest, withLatestFrom, race, sequenceEqual, onErrorResumeNext,
    ]
}
