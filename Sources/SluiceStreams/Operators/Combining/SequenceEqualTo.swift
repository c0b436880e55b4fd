import SluiceExpressions

extension OperatorKind {
    static let sequenceEqual = OperatorKind(
        "sequenceEqual",
        summary: "Compares the values of this stream and another",
        [.source()]
    ) { stage in
        let other = stage.source()
        stage.item = .bool
        return stage.input.sequenceEqual(other.flow).map { .bool($0) }
    }
}

extension Operator {
    /// Emits `true` if this stream and another emit equal values in the same order, at any times, otherwise `false`;
    /// then completes.
    ///
    /// ```marbles
    /// -1-2-|
    /// other: 1--3--|
    /// {"sequenceEqual": {"source": {"ref": "other"}}}
    /// ---('false'|)
    /// ```
    public static func sequenceEqual(_ source: StreamSource) -> Operator {
        Operator(.sequenceEqual, ["source": .source(source)])
    }
}
