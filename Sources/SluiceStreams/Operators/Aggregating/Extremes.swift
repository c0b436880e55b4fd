import SluiceExpressions

extension Flow where Value: Sendable {
    /// Passes on, at the completion, the value that no other is before: the first of several, none of none.
    @inlinable
    func extreme<Key: Sendable>(
        _ route: ErrorRoute,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Key,
        _ isBefore: @escaping @Sendable (Key, Key) throws -> Bool
    ) -> Flow {
        reducing(
            nil as (key: Key, value: Value)?,
            route,
            { scope in
                let key = make(scope)
                return { best, value in
                    let candidate = (key: try key(value), value: value)
                    guard let best else { return candidate }
                    return try isBefore(candidate.key, best.key) ? candidate : best
                }
            },
            { $0?.value }
        )
    }
}

extension Stage {
    /// What `min` and `max` have in common.
    func extreme(_ wanted: CELValue.Order) -> Flow<CELValue> {
        let key = key
        let path = path
        return input.extreme(errorRoute, key) { candidate, best in
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
