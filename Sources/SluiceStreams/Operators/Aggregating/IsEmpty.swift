import SluiceExpressions

extension Flow {
    /// Emits `false` and completes at the first value; emits `true` at the completion without values.
    public func isEmpty() -> Flow<Bool> { answering(false, .fail) { _ in { _ in true } } }
}

extension OperatorKind {
    static let isEmpty = OperatorKind("isEmpty", summary: "Emits true if there is no value, otherwise false") { stage in
        stage.item = .bool
        return stage.input.isEmpty().map { .bool($0) }
    }
}

extension Operator {
    /// Emits `false` and completes at the first value; emits `true` at the completion without values.
    ///
    /// ```marbles
    /// ---|
    /// {"isEmpty": {}}
    /// ---('true'|)
    /// ```
    public static let isEmpty = Operator(.isEmpty)
}
