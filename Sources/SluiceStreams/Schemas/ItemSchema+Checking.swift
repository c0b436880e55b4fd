import SluiceExpressions
public import SluiceJSON

extension ItemSchema {
    /// Returns a description of the first place at which an item does not meet the schema, with its path; `nil` for an
    /// item that meets it.
    ///
    /// - Complexity: O(*n*) in the values of the item to which the schema refers.
    public func problem(with item: JSON) -> String? {
        do throws(CELError) { return problem(of: try CELValue(item)) } catch {
            return error.issues.first?.message ?? "\(error)"
        }
    }

    /// Returns a description of the first place at which an item does not meet the schema.
    func problem(of item: CELValue) -> String? {
        root.problem(with: item).map { problem in
            let path = JSONPath(problem.path.reversed()).description
            return path.isEmpty ? problem.text : "\(path.clipped): \(problem.text)"
        }
    }
}

/// A place in an item that does not meet a schema.
private struct ItemProblem {
    /// The steps to it, the last one first.
    var path: [JSONPath.Component] = []
    let text: String

    init(_ text: String) { self.text = text }

    /// Returns the problem seen from the value around it.
    func within(_ component: JSONPath.Component) -> ItemProblem {
        var problem = self
        problem.path.append(component)
        return problem
    }
}

extension String {
    /// The text, or its beginning if it is long.
    fileprivate var clipped: String { count > 100 ? prefix(100) + "…" : self }
}

extension SchemaNode {
    fileprivate func problem(with value: CELValue) -> ItemProblem? {
        if let kinds, !kinds.contains(where: { $0.holds(value) }) {
            let names = Kind.allCases.filter(kinds.contains).map(\.phrase).joined(separator: " or ")
            return ItemProblem("expected \(names), found \(value.phrase)")
        }
        if let values, !values.contains(where: { $0.isEqual(to: value) }) {
            let shown = values.prefix(8).map { "\($0)".clipped }.joined(separator: ", ")
            return ItemProblem("expected one of \(shown)\(values.count > 8 ? ", …" : "")")
        }
        switch value {
        case .map(let map): return problem(with: map)
        case .list(let list):
            guard let items else { return nil }
            for (index, element) in list.enumerated() {
                if let problem = items.problem(with: element) { return problem.within(.index(index)) }
            }
            return nil
        default: return nil
        }
    }

    private func problem(with map: CELMap) -> ItemProblem? {
        for name in required where map[name] == nil {
            return ItemProblem("the field \(JSON.string(name.clipped)) is missing")
        }
        if properties == nil, case .unsaid = rest { return nil }
        for entry in map {
            guard case .string(let name) = entry.key else { return ItemProblem("expected texts as keys") }
            let schema: SchemaNode
            if let property = properties?[name] {
                schema = property
            } else {
                switch rest {
                case .unsaid, .allowed(true): continue
                case .allowed(false): return ItemProblem("the field \(JSON.string(name.clipped)) is not allowed")
                case .schema(let others): schema = others
                }
            }
            if let problem = schema.problem(with: entry.value) { return problem.within(.key(name)) }
        }
        return nil
    }
}

extension SchemaNode.Kind {
    fileprivate func holds(_ value: CELValue) -> Bool {
        switch (self, value) {
        case (.null, .null), (.boolean, .bool), (.integer, .int), (.number, .int), (.number, .double),
            (.string, .string), (.array, .list), (.object, .map):
            true
        default: false
        }
    }

    fileprivate var phrase: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension CELValue {
    fileprivate var phrase: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .int: "an integer"
        case .double: "a number with a fraction or an exponent"
        case .string: "a string"
        case .list: "an array"
        case .map: "an object"
        default: "a \(typeName)"
        }
    }
}

extension Flow<CELValue> {
    /// Returns the stream of the items that meet a schema. Others are omitted, and reported with the path of the schema in
    /// the document.
    func meeting(_ schema: ItemSchema, _ path: JSONPath) -> Flow {
        filtering(.report) { _ in
            { item in
                guard let problem = schema.problem(of: item) else { return true }
                throw StreamError(path: path.description, message: "an item does not meet the schema: \(problem)")
            }
        }
    }
}
