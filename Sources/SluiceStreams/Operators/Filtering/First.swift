import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Emits the first value and completes; without one, emits `fallback`, or fails without that.
    public func first(default fallback: Value? = nil) -> Flow { first(or: Fallback(fallback)) }

    /// Implements ``first(default:)``.
    func first(or fallback: Fallback<Value>) -> Flow {
        lift { _, sink in
            sink.receiving(whenCompleted: { fallback.finish(sink) }) { value in
                sink.receive(value)
                sink.finish(.completed)
            }
        }
    }
}

extension OperatorKind {
    static let first = OperatorKind(
        "first",
        summary: "Emits the first value, then completes",
        [.value("default", isRequired: false)]
    ) { stage in
        stage.input.first(or: stage.fallback())
    }
}

extension Operator {
    /// Emits the first value and completes.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"first": {}}
    /// -(1|)
    /// ```
    ///
    /// - Parameter value: The value to emit when the stream completes without a value; by default that is an error.
    public static func first(default value: JSON? = nil) -> Operator {
        Operator(.first, ["default": value.map { .json($0) }])
    }
}
