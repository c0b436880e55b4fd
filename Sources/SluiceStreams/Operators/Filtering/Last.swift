import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Emits the last value at the completion; without one, emits `fallback`, or fails without that.
    public func last(default fallback: Value? = nil) -> Flow {
        last(or: Fallback(fallback), .fail) { _ in { _ in true } }
    }
}

extension OperatorKind {
    static let last = OperatorKind(
        "last",
        summary: "Emits the last value at completion",
        [.value("default", isRequired: false)]
    ) { stage in
        stage.input.last(or: stage.fallback(), .fail) { _ in { _ in true } }
    }
}

extension Operator {
    /// Emits the last value at the completion.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"last": {}}
    /// -------(3|)
    /// ```
    ///
    /// - Parameter value: The value to emit when the stream completes without a value; by default that is an error.
    public static func last(default value: JSON? = nil) -> Operator {
        Operator(.last, ["default": value.map { .json($0) }])
    }
}
