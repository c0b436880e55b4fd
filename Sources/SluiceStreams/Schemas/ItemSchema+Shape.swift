import SluiceExpressions

extension ItemSchema {
    /// The shape of the items in expressions.
    var shape: CELShape { root.shape }
}

extension SchemaNode.Kind {
    fileprivate var kinds: CELShape.Kinds {
        switch self {
        case .null: .null
        case .boolean: .bool
        case .integer: .int
        case .number: [.int, .double]
        case .string: .string
        case .array: .list
        case .object: .map
        }
    }
}

extension SchemaNode {
    fileprivate var shape: CELShape {
        var kinds: CELShape.Kinds = [.null, .bool, .int, .double, .string, .list, .map]
        if let named = self.kinds { kinds = named.reduce(into: []) { $0.formUnion($1.kinds) } }
        if let values {
            // An allowed 1 may come as 1.0.
            kinds.formIntersection(values.reduce(into: []) { $0.formUnion($1.kinds) })
        }
        // A schema that nothing meets says nothing about expressions.
        if kinds.isEmpty { return .any }
        return CELShape(kinds, element: items?.shape, fields: fields)
    }

    /// The members that expressions may name; `nil` for any.
    private var fields: CELShape.Fields? {
        let rest: CELShape?
        switch self.rest {
        case .unsaid: rest = properties == nil ? .any : nil
        case .allowed(let isAllowed): rest = isAllowed ? .any : nil
        case .schema(let schema): rest = schema.shape
        }
        if properties == nil, rest?.isAny == true { return nil }
        var named = (properties ?? [:]).mapValues(\.shape)
        for name in required where named[name] == nil { named[name] = rest ?? .any }
        return CELShape.Fields(named: named, rest: rest)
    }
}

extension CELValue {
    fileprivate var kinds: CELShape.Kinds {
        switch self {
        case .null: .null
        case .bool: .bool
        case .string: .string
        case .list: .list
        case .map: .map
        default: [.int, .double]
        }
    }
}
