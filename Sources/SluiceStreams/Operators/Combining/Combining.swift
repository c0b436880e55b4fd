extension OperatorKind {
    /// The family of operators that say where values come from other streams too.
    static let combining = [
        append, prepend, merge, zip, combineLatest, withLatestFrom, race, sequenceEqual, onErrorResumeNext,
    ]
}
