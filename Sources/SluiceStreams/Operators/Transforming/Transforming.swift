extension OperatorKind {
    /// The family of operators that transform values.
    static let transforming = [
        map, mapTo, compactMap, replaceNil, scan, pairwise, timestamp, timeInterval, materialize, dematerialize,
        encode, decode,
    ]
}
