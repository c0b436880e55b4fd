import SluiceExpressions

extension Flow {
    /// Emits the number of values at the completion.
    @inlinable
    public func count() -> Flow<Int> { reducing(0, .fail, { _ in { count, _ in count + 1 } }, { $0 }) }
}

extension OperatorKind {
    static let count = OperatorKind("count", summary: "Emits the number of values at completion") { stage in
        stage.item = .int
        return stage.input.count().map { .int(Int64($0)) }
    }
}

extension Operator {
    /// Emits the number of values at the completion.
    ///
    /// ```marbles
    /// -5-6-7-|
    /// {"count": {}}
    /// -------(3|)
    /// ```
    public static let count = Operator(.count)
}
