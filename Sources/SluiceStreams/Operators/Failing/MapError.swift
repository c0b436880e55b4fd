import SluiceExpressions

extension Flow {
    /// Fails with what `transform` makes of the error.
    ///
    /// - Parameter transform: called by the run at the failure; what it throws is the error instead.
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
    static let mapError = OperatorKind("mapError", [.expression()]) { stage in
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
    /// The text itself of a string; of anything else what the language writes.
    fileprivate var text: String { if case .string(let text) = self { text } else { "\(self)" } }
}

extension Operator {
    /// Fails with the text that an expression makes of the error: `error` is its text.
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
