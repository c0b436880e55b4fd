extension OperatorKind {
    /// The family of operators that say what becomes of errors, and of the end.
    static let failing = [retry]
}
