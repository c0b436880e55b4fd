extension OperatorKind {
    /// The family of operators that say what values become.
    static let transforming = [
        map, mapTo, compactMap, replaceNil, scan, pairwise, timestamp, timeInterval, materialize, dematerialize,
        encode, decode,
    ]
}
