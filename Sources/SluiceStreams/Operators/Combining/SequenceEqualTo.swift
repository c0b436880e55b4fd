import SluiceExpressions

extension OperatorKind {
    static let sequenceEqual = OperatorKind("sequenceEqual", [.source()]) { stage in
        let other = stage.source()
        stage.item = .bool
        return stage.input.sequenceEqual(other.flow).map { .bool($0) }
    }
}

extension Operator {
    /// Whether this stream and another give equal values in the same order, whenever they come: `true` or `false`, then
    /// completion.
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
