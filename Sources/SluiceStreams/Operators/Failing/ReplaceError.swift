import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Emits a value and completes if the stream fails.
    public func replaceError(with value: Value) -> Flow {
        catching { _, _, sink in
            sink.receive(value)
            sink.finish(.completed)
        }
    }
}

extension OperatorKind {
    static let replaceError = OperatorKind(
        "replaceError",
        synonyms: ["catchErrorJustReturn"],
        summary: "Replaces a failure with a value, then completes",
        [.value()]
    ) { stage in
        let value = stage.value()
        if stage.item != CELType(of: value) { stage.item = .dyn }
        return stage.input.replaceError(with: value)
    }
}

extension Operator {
    /// Emits a value and completes if the stream fails.
    ///
    /// ```marbles
    /// -1-#
    /// {"replaceError": {"value": 0}}
    /// -1-(0|)
    /// ```
    public static func replaceError(with value: JSON) -> Operator { Operator(.replaceError, ["value": .json(value)]) }
}
