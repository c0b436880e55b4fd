extension OperatorKind {
    /// The family of operators that say when values are passed on.
    static let timing = [delay]
}
