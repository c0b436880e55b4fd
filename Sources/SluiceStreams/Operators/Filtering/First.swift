import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Passes on the first value and completes; without one, passes on `fallback`, or fails where there is none.
    public func first(default fallback: Value? = nil) -> Flow { first(or: Fallback(fallback)) }

    /// As ``first(default:)``.
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
    static let first = OperatorKind("first", [.value("default", isRequired: false)]) { stage in
        stage.input.first(or: stage.fallback())
    }
}

extension Operator {
    /// Passes on the first value and completes.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"first": {}}
    /// -(1|)
    /// ```
    ///
    /// - Parameter value: what is passed on when the stream completes without a value; without it that is an error.
    public static func first(default value: JSON? = nil) -> Operator {
        Operator(.first, ["default": value.map { .json($0) }])
    }
}
