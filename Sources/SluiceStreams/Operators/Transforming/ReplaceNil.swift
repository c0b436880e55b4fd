import SluiceExpressions
public import SluiceJSON

extension Flow {
    /// Replaces each `nil` with `output`.
    public func replaceNil<Wrapped: Sendable>(with output: Wrapped) -> Flow<Wrapped> where Value == Wrapped? {
        lift { _, sink in sink.receiving { value in sink.receive(value ?? output) } }
    }
}

extension OperatorKind {
    static let replaceNil = OperatorKind("replaceNil", summary: "Replaces null with a value", [.value()]) { stage in
        let value = stage.value()
        if stage.item == .null { stage.item = CELType(of: value) }
        if case .shape(let shape) = stage.item, shape.kinds.contains(.null) {
            var steps = CELShape.largestSize
            let replaced = shape.withoutNull.joined(with: CELType(of: value).shape, &steps)
            stage.item = CELType.dyn.refined(by: replaced)
        }
        return stage.input.mapping(.fail) { _ in { if case .null = $0 { value } else { $0 } } }
    }
}

extension Operator {
    /// Replaces each `null` with a value.
    ///
    /// ```marbles
    /// -1-'null'-3-|
    /// {"replaceNil": {"value": 0}}
    /// -1-0-3-|
    /// ```
    public static func replaceNil(_ value: JSON) -> Operator { Operator(.replaceNil, ["value": .json(value)]) }
}
