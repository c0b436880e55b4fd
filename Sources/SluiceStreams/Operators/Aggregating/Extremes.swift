import SluiceExpressions
import SluiceJSON

extension Flow where Value: Sendable {
    /// Emits, at the completion, the first of the values that come first in an order, or nothing without values.
    @inlinable
    func extreme<Key: Sendable>(
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Key,
        _ isBefore: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Flow {
        reducing(
            nil as Extreme<Key, Value>?,
            policy,
            { scope in
                let key = make(scope)
                return { best, value in
                    let candidate = Extreme(key: try key(value), value: value)
                    guard let best else { return candidate }
                    return try isBefore(candidate.key, best.key) ? candidate : best
                }
            },
            { $0?.value }
        )
    }
}

/// A value with its key for comparison.
@usableFromInline struct Extreme<Key: Sendable, Value: Sendable>: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let value: Value

    @inlinable init(key: Key, value: Value) {
        self.key = key
        self.value = value
    }
}

extension Extreme: Savable where Key: Savable, Value: Savable {
    init(saved json: JSON) throws {
        guard case .array(let parts) = json, parts.count == 2 else { throw StreamError.unreadable("a pair", json) }
        self.init(key: try Key(saved: parts[0]), value: try Value(saved: parts[1]))
    }

    var saved: JSON { [key.saved, value.saved] }
}

extension Stage {
    /// Returns the stream of the common implementation of `min` and `max`.
    func extreme(_ wanted: CELValue.Order) -> Flow<CELValue> {
        let key = key
        let path = path
        return input.extreme(errorPolicy, key) { candidate, best in
            switch candidate.order(with: best) {
            case wanted?: return true
            case .before?, .same?, .after?: return false
            case nil, .none?:
                let kinds = candidate.typeName == best.typeName ? "two of \(best.typeName)" : nil
                let text = kinds ?? "\(best.typeName) and \(candidate.typeName)"
                throw StreamError(path: path, message: "\(text) have no order")
            }
        }
    }
}
