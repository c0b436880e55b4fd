import SluiceExpressions

extension Flow {
    /// Passes on `false` and completes at the first value; `true` at the completion without one.
    public func isEmpty() -> Flow<Bool> { answering(false, .fail) { _ in { _ in true } } }
}

extension OperatorKind {
    static let isEmpty = OperatorKind("isEmpty") { stage in
        stage.item = .bool
        return stage.input.isEmpty().map { .bool($0) }
    }
}

extension Operator {
    /// Passes on `false` and completes at the first value, `true` at the completion without one.
    ///
    /// ```marbles
    /// ---|
    /// {"isEmpty": {}}
    /// ---('true'|)
    /// ```
    public static let isEmpty = Operator(.isEmpty)
}
