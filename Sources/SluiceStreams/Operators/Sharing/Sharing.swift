extension OperatorKind {
    /// The family of operators that say one run for many subscriptions.
    static let sharing = [share]
}
