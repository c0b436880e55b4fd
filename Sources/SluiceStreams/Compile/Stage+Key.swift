import SluiceExpressions
import SluiceJSON

extension Stage {
    /// The operator's path, for its errors.
    var path: String { scope.path.description }

    /// The result of an optional expression for an item; without an expression, the item itself.
    var key: @Sendable (Scope) -> (CELValue) throws -> CELValue {
        guard let expression = optionalExpression(.item) else { return { _ in { $0 } } }
        return { expression.transform($0) }
    }
}
