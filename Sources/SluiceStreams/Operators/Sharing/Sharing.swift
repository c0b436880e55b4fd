extension OperatorKind {
    /// The family of operators that say who reads the same run of a stream.
    static let sharing = [share, shareReplay]
}
