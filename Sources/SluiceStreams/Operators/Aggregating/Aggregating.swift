extension OperatorKind {
    /// The family of operators that say one value of many.
    static let aggregating = [
        reduce, count, min, max, sum, average, allSatisfy, contains, containsWhere, isEmpty, replaceEmpty,
        throwIfEmpty, collect,
    ]
}
