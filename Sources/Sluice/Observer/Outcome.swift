/// The way in which a call ended.
///
/// The type of the value is erased: the code behind an observer is compiled once, not for each type of value, and needs
/// no type metadata at run time, which would cost more than the work itself.
enum Outcome: Sendable {
    case value(any Sendable)
    case error(any Error)
    case canceled

    /// Creates the outcome of a body: its value, or the error that it throws.
    init(_ body: () throws -> any Sendable) {
        do { self = .value(try body()) } catch { self = .error(error) }
    }

    /// Returns the outcome as a result; cancellation is a `CancellationError`.
    func result<Value: Sendable>(of type: Value.Type = Value.self) -> Result<Value, any Error> {
        switch self {
        case .value(let value): .success(known(value))
        case .error(let error): .failure(error)
        case .canceled: .failure(CancellationError())
        }
    }
}

/// Returns a value of an outcome with its type.
///
/// An `Observer<Value>` is only ever ended with a `Value`, by methods that take one, so the cast cannot fail.
func known<Value: Sendable>(_ value: any Sendable) -> Value {
    if let same: Value = same(value) { return same }
    guard let value = value as? Value else { preconditionFailure("an observer was ended with a \(type(of: value))") }
    return value
}

/// Returns the value if its type is `Value`, without the cost of a cast at run time; `nil` for an existential `Value`.
private func same<Stored: Sendable, Value: Sendable>(_ value: Stored) -> Value? {
    // The types are the same, so their representations are too.
    Stored.self == Value.self ? unsafeBitCast(value, to: Value.self) : nil
}
