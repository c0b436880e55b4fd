extension OperatorKind {
    /// The family of operators that compute one value from many.
    static let aggregating = [
        reduce, count, min, max, sum, average, allSatisfy, contains, containsWhere, isEmpty, replaceEmpty,
        throwIfEmpty, collect,
    ]
}
