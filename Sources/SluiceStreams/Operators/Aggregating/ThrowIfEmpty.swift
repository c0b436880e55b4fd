import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Fails at the completion if there were no values.
    ///
    /// - Parameter error: The error with which the stream fails.
    public func throwIfEmpty(_ error: any Error = StreamError(message: noValue)) -> Flow {
        lift { scope, sink in
            let isEmpty = scope.cell(true)
            return sink.receiving {
                sink.finish(isEmpty.state ? .failed(error) : .completed)
            } _: { value in
                isEmpty.state = false
                sink.receive(value)
            }
        }
    }

    /// The message of the error of an empty stream.
    @usableFromInline static var noValue: String { "the stream has no value" }
}

extension OperatorKind {
    static let throwIfEmpty = OperatorKind(
        "throwIfEmpty",
        summary: "Fails at completion if there was no value",
        [.text("message", isRequired: false)]
    ) { stage in
        let message = stage.text("message") ?? Flow<CELValue>.noValue
        return stage.input.throwIfEmpty(StreamError(path: stage.scope.path.description, message: message))
    }
}

extension Operator {
    /// Passes values on, and fails at the completion if there were none.
    ///
    /// ```marbles
    /// ---|
    /// {"throwIfEmpty": {"message": "no reading"}}
    /// ---#
    /// ```
    ///
    /// - Parameter message: The message of the error.
    public static func throwIfEmpty(_ message: String? = nil) -> Operator {
        Operator(.throwIfEmpty, ["message": message.map { .string($0) }])
    }
}
