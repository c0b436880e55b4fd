import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Passes on the last value at the completion; without one, passes on `fallback`, or fails where there is none.
    public func last(default fallback: Value? = nil) -> Flow {
        last(or: Fallback(fallback), .fail) { _ in { _ in true } }
    }
}

extension OperatorKind {
    static let last = OperatorKind("last", [.value("default", isRequired: false)]) { stage in
        stage.input.last(or: stage.fallback(), .fail) { _ in { _ in true } }
    }
}

extension Operator {
    /// Passes on the last value at the completion.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"last": {}}
    /// -------(3|)
    /// ```
    ///
    /// - Parameter value: what is passed on when the stream completes without a value; without it that is an error.
    public static func last(default value: JSON? = nil) -> Operator {
        Operator(.last, ["default": value.map { .json($0) }])
    }
}
