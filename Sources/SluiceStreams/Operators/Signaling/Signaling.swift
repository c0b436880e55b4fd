extension OperatorKind {
    /// The family of operators that say where another stream is a signal.
    static let signaling = [prefixUntil, dropUntil, sample]
}
