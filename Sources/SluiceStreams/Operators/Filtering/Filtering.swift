extension OperatorKind {
    /// The family of operators that say which values are passed on.
    static let filtering = [
        filter, removeDuplicates, distinct, ignoreOutput, prefix, prefixWhile, suffix, dropFirst, dropLast, dropWhile,
        first, firstWhere, firstIndexWhere, last, lastWhere, single, outputAt, outputIn,
    ]
}
