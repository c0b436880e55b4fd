extension ShapeChecker {
    /// Returns the shape of a field.
    mutating func select(_ field: String, of shape: CELShape, at offset: Int) -> CELShape {
        var found: CELShape?
        if shape.kinds.contains(.map) {
            guard let fields = shape.fields else { return .any }
            found = fields[field]
        }
        // A field of an optional is an optional.
        if shape.kinds.contains(.optional) { found = join(found, CELShape(.optional)) }
        if let found { return found }
        guard let fields = shape.fields else {
            return fail(.type, "\(shape) has no field '\(field.shortened())'", at: offset)
        }
        let near = canReport ? hint(for: field, among: fields) : nil
        return fail(.undeclared, "there is no field '\(field.shortened())'", at: offset, hint: near)
    }

    /// Returns a hint at the fields that there are; `nil` without fields, or without the steps to compare their names.
    private mutating func hint(for field: String, among fields: CELShape.Fields) -> String? {
        fuel -= fields.named.count
        guard fuel >= 0 else { return nil }
        let names = fields.named.keys
        if let near = nearest(to: field, among: names) { return "did you mean \(near.shortened())?" }
        let known = names.sorted().prefix(8).map { $0.shortened() }.joined(separator: ", ")
        return known.isEmpty ? nil : "the fields are: " + known + (names.count > 8 ? ", …" : "")
    }

    /// Returns the shape of the values of a map.
    mutating func values(of shape: CELShape) -> CELShape {
        guard let fields = shape.fields else { return .any }
        var joined = fields.rest
        for value in fields.named.values { joined = join(joined, value) }
        return joined ?? .any
    }

    /// Returns the shape of the element at an index or a key.
    mutating func element(of shape: CELShape, at key: Int, _ keys: CELShape, _ offset: Int) -> CELShape {
        if case .constant(.string(let name)) = plan[key].kind, shape.kinds.isDisjoint(with: [.list, .optional]) {
            return select(name, of: shape, at: shape.kinds.contains(.map) ? plan[key].offset : offset)
        }
        if shape.kinds.contains(.optional) { return .any }
        var found: CELShape?
        if shape.kinds.contains(.list), !keys.kinds.isDisjoint(with: .number) { found = shape.element }
        if shape.kinds.contains(.map) {
            if shape.fields == nil || keys.kinds.contains(.string) { found = join(found, values(of: shape)) }
        }
        return found ?? fail(.type, "\(shape) has no index of type \(keys)", at: offset)
    }

    /// Returns the shape of the results of those overloads that may take the arguments.
    mutating func call(_ name: String, _ overloads: [Overload], _ arguments: [CELShape], at offset: Int) -> CELShape {
        var result: CELShape?
        for overload in overloads where overload.parameters.count == arguments.count {
            guard zip(overload.parameters, arguments).allSatisfy(Self.mayTake) else { continue }
            result = join(result, overload.result.shape)
        }
        if let result { return result }
        if overloads.isEmpty { return .any }
        let types = arguments.map(\.description)
        let isMember = overloads[0].isMember
        let message =
            isMember
            ? "\(types[0]) has no \(name)(\(types.dropFirst().joined(separator: ", ")))"
            : "\(Checker.readable(name)) does not take (\(types.joined(separator: ", ")))"
        return fail(.noSuchOverload, message, at: offset, hint: Self.hint(name, overloads, arguments))
    }

    private static func mayTake(_ parameter: CELType, _ argument: CELShape) -> Bool {
        !parameter.shape.kinds.isDisjoint(with: argument.kinds)
    }

    private static func hint(_ name: String, _ overloads: [Overload], _ arguments: [CELShape]) -> String {
        if name == "_+_", arguments.contains(where: { $0.kinds == .string }) {
            return "a string is joined with a string: use string(…)"
        }
        let forms = overloads.prefix(4).map { overload in
            let parameters = overload.parameters.map(\.description)
            return overload.isMember
                ? "\(parameters[0]).\(name)(\(parameters.dropFirst().joined(separator: ", ")))"
                : "(\(parameters.joined(separator: ", ")))"
        }
        return "it takes " + forms.joined(separator: " or ") + (overloads.count > 4 ? " or others" : "")
    }
}
