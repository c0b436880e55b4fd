import SluiceExpressions

/// The result of an operator that looks for one value when the stream completes without it.
@usableFromInline enum Fallback<Value: Sendable>: Sendable {
    case value(Value)
    case failure(StreamError)

    /// Creates a value, or a failure whose message says what is missing.
    @usableFromInline init(_ value: Value?, path: String = "", missing: String = Fallback.noValue) {
        self = value.map { .value($0) } ?? .failure(StreamError(path: path, message: missing))
    }

    @usableFromInline static var noValue: String { "the stream completed without a value" }
    @usableFromInline static var noMatch: String { "the stream completed without a value that is looked for" }

    /// Ends the stream with the value or the failure.
    @usableFromInline func finish(_ sink: Sink<Value>) {
        switch self {
        case .value(let value):
            sink.receive(value)
            sink.finish(.completed)
        case .failure(let error): sink.finish(.failed(error))
        }
    }
}

extension Stage {
    /// Returns the value of `default`, or a failure with the operator's path. Sets the type of the items.
    mutating func fallback(missing: String = Fallback<CELValue>.noValue) -> Fallback<CELValue> {
        guard let value = optionalValue("default") else {
            return .failure(StreamError(path: path, message: missing))
        }
        if item != CELType(of: value) { item = .dyn }
        return .value(value)
    }
}
