import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Equatable & Sendable {
    /// Emits `true` and completes at the first value that is equal to `value`; emits `false` at the completion
    /// otherwise.
    public func contains(_ value: Value) -> Flow<Bool> { contains(where: { $0 == value }) }
}

extension OperatorKind {
    static let contains = OperatorKind(
        "contains",
        synonyms: ["includes"],
        summary: "Emits true if a value is equal to a constant, otherwise false",
        [.value()]
    ) { stage in
        let value = stage.value()
        stage.item = .bool
        return stage.input.contains(where: { $0.isEqual(to: value) }).map { .bool($0) }
    }
}

extension Operator {
    /// Emits `true` and completes at the first value that is equal to `value`; emits `false` at the completion
    /// otherwise. Values are compared by the expression language's `==`: `1` equals `1.0`.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"contains": {"value": 2}}
    /// ---('true'|)
    /// ```
    public static func contains(_ value: JSON) -> Operator { Operator(.contains, ["value": .json(value)]) }
}
