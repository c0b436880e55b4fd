extension OperatorKind {
    /// The family of operators that select values.
    static let filtering = [
        filter, removeDuplicates, distinct, ignoreOutput, prefix, prefixWhile, suffix, dropFirst, dropLast, dropWhile,
        first, firstWhere, firstIndexWhere, last, lastWhere, single, outputAt, outputIn,
    ]
}
