extension OperatorKind {
    /// The family of operators that say what values become.
    static let transforming = [map, scan]
}
