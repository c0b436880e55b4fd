extension SourceKind {
    /// The family of sources that combine other streams.
    static let combined = [
        merge, append, zip, combineLatest, withLatestFrom, race, forkJoin, sequenceEqual, onErrorResumeNext, iif,
        `defer`,
    ]
}
