extension OperatorKind {
    /// The family of operators that say one value of many.
    static let aggregating: [OperatorKind] = []
}
