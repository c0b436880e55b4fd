extension OperatorKind {
    /// The family of operators that say which values are passed on.
    static let filtering = [filter, prefix]
}
