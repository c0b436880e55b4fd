import SluiceExpressions

extension Flow {
    /// Transforms the error with which the stream fails.
    ///
    /// - Parameter transform: A closure that the run calls at the failure; an error that it throws replaces the
    ///   original error too.
    public func mapError(_ transform: @escaping @Sendable (any Error) throws -> any Error) -> Flow {
        mappingError { _ in transform }
    }

    func mappingError(_ make: @escaping @Sendable (Scope) -> (any Error) throws -> any Error) -> Flow {
        lift { scope, sink in
            Sink<Value>(
                lifetime: sink.lifetime,
                end: { end in
                    guard case .failed(let error) = end else { return sink.end(end) }
                    do { sink.end(.failed(try make(scope)(error))) } catch { sink.end(.failed(error)) }
                },
                receive: sink.receive
            )
        }
    }
}

extension OperatorKind {
    static let mapError = OperatorKind(
        "mapError",
        summary: "Replaces the text of an error with the result of an expression",
        [.expression()]
    ) { stage in
        let expression = stage.expression(.error, answering: .string)
        return stage.input.mappingError { scope in
            let transform = expression.mapError(scope)
            return { error in
                let text = try transform(.string(StreamError(error).description))
                return StreamError(message: text.text)
            }
        }
    }
}

extension CELValue {
    /// The text of a string itself, or of another value in the expression language.
    fileprivate var text: String { if case .string(let text) = self { text } else { "\(self)" } }
}

extension Operator {
    /// Fails with the result of an expression as its message: `error` is the message of the original error.
    ///
    /// ```marbles
    /// -1-#
    /// {"mapError": {"expression": "'at work: ' + error"}}
    /// -1-#
    /// ```
    public static func mapError(_ expression: String) -> Operator {
        Operator(.mapError, ["expression": .string(expression)])
    }
}
