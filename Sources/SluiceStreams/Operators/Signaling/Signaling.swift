extension OperatorKind {
    /// The family of operators that use another stream as a signal.
    static let signaling = [prefixUntil, dropUntil, sample]
}
