import SluiceExpressions
import SluiceJSON

extension Stage {
    /// The operator's path, for its errors.
    var path: String { place.path.description }

    /// What an optional expression makes of an item; the item itself without one.
    var key: @Sendable (Scope) -> (CELValue) throws -> CELValue {
        guard let expression = optionalExpression(.item) else { return { _ in { $0 } } }
        return { expression.transform($0) }
    }
}
