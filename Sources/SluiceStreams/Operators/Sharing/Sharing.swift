extension OperatorKind {
    /// The family of operators that share a run of a stream.
    static let sharing = [share, shareReplay]
}
