extension Checker {
    static let typeNames: [String: CELType] = [
        "bool": .bool, "int": .int, "uint": .uint, "double": .double, "string": .string, "bytes": .bytes,
        "list": .list(.dyn), "map": .map(.dyn, .dyn), "null_type": .null, "type": .type(.dyn),
        "google.protobuf.Duration": .duration, "google.protobuf.Timestamp": .timestamp,
        "optional_type": .optional(.dyn), "net.IP": .address, "net.CIDR": .network,
    ]

    /// Checks a name or a field access: the longest declared name wins, and a macro's name precedes all others.
    mutating func visitName(_ index: Int, _ node: SyntaxNode) -> Int {
        if let (names, isAbsolute) = tree.qualifiedName(index) {
            if !isAbsolute, let bound = scope.last(where: { $0.name == names[0] }) {
                var part = plan.add(.local(bound.local), bound.type, at: node.offset)
                part = select(part, names.dropFirst(), of: index)
                return part
            }
            for count in stride(from: names.count, to: 0, by: -1) {
                let name = names[..<count].joined(separator: ".")
                guard var part = global(name, isAbsolute, at: node.offset) else { continue }
                part = select(part, names[count...], of: index)
                return part
            }
            return undeclared(names, node)
        }
        guard case .select(let operand, let field, let isOptional, _) = node.kind else {
            return fail(.undeclared, "an unknown name", at: node.offset)
        }
        return select(visit(operand), field, isOptional: isOptional, at: node.offset)
    }

    /// The constants as other languages spell them.
    private static let constants = [
        "true": "true", "false": "false", "null": "null", "nil": "null", "none": "null", "nul": "null",
        "undefined": "null",
    ]

    /// Returns the name with each prefix of the container, from the innermost.
    func candidates(_ name: String, _ isAbsolute: Bool) -> [String] {
        if isAbsolute || container.isEmpty { return [name] }
        return stride(from: container.count, through: 0, by: -1).map { count in
            (container[..<count] + [name]).joined(separator: ".")
        }
    }

    private mutating func global(_ name: String, _ isAbsolute: Bool, at offset: Int) -> Int? {
        for candidate in candidates(name, isAbsolute) {
            if let variable = variables[candidate] {
                return plan.add(.variable(variable.index), variable.type, at: offset)
            }
            if let type = Checker.typeNames[candidate] {
                return plan.add(.constant(.type(candidate)), .type(type), at: offset)
            }
        }
        return nil
    }

    private mutating func undeclared(_ names: [String], _ node: SyntaxNode) -> Int {
        let name = names[0]
        undeclaredNames.insert(name)
        guard canReport else { return fail(.undeclared, "'\(name.shortened())' is not declared", at: node.offset) }
        if let word = Checker.constants[name.lowercased()] {
            return fail(.undeclared, "'\(name)' is not declared", at: node.offset, hint: "did you mean \(word)?")
        }
        let known = Array(variables.keys) + scope.map(\.name)
        if let field = declaredField(names, known) {
            let joined = names.joined(separator: ".")
            return fail(
                .undeclared,
                "'\(joined.shortened())' is not declared",
                at: node.offset,
                hint: "did you mean \(field)?"
            )
        }
        let near = nearest(to: name, among: known + ["true", "false", "null"])
        let hint =
            near.map { "did you mean \($0)?" }
            ?? (known.isEmpty ? nil : "declared: " + known.sorted().prefix(8).joined(separator: ", "))
        return fail(.undeclared, "'\(name.shortened())' is not declared", at: node.offset, hint: hint)
    }

    /// Returns the declared name with dots that a misspelled name was probably meant to be.
    private func declaredField(_ names: [String], _ known: [String]) -> String? {
        guard names.count > 1 else { return nil }
        let dotted = known.filter { $0.contains(".") }
        for count in stride(from: min(names.count, 8), to: 1, by: -1) {
            if let near = nearest(to: names[..<count].joined(separator: "."), among: dotted) { return near }
        }
        return nil
    }

    /// Returns a hint for a field that a type doesn't have: the function of that name, or an index.
    private func fieldHint(_ operand: Int, _ field: String) -> String? {
        guard canReport else { return nil }
        let type = shown(type(operand))
        let known = library.overloads(field, isMember: true).contains { overload in
            overload.parameters.first.map { $0.hasParameter || $0 == .dyn || $0.hasSameHead(as: type) } ?? false
        }
        if known { return "call it: .\(field)()" }
        if case .map(let key, _) = type { return "its keys are \(key): use [key]" }
        let fields = library.names(isMember: true).filter { name in
            library.overloads(name, isMember: true).contains { $0.parameters.first?.hasSameHead(as: type) ?? false }
        }
        return nearest(to: field, among: fields).map { "did you mean .\($0)()?" }
    }

    /// Returns the type of a field, or nil if the operand has no fields; for an optional operand, an optional type.
    private mutating func fieldType(_ type: CELType) -> CELType? {
        switch type {
        case .map(let key, let value):
            guard substitution.unify([.string], [key]) else { return nil }
            return value
        case .dyn: return .dyn
        case .parameter:
            _ = substitution.unify([type], [.dyn])
            return .dyn
        case .optional(let inner):
            return fieldType(substitution.resolve(inner, isFinal: false)).map { field in
                if case .optional = field { return field }
                return .optional(field)
            }
        default: return nil
        }
    }

    /// Checks the last fields of a name with dots, each at its own place.
    private mutating func select(_ operand: Int, _ fields: ArraySlice<String>, of index: Int) -> Int {
        var places: [Int] = []
        var current = index
        while places.count < fields.count, case .select(let operand, _, _, _) = tree[current].kind {
            places.append(tree[current].offset)
            current = operand
        }
        var part = operand
        for (field, place) in zip(fields, places.reversed()) {
            part = select(part, field, isOptional: false, at: place)
        }
        return part
    }

    mutating func select(_ operand: Int, _ field: String, isOptional: Bool, at offset: Int) -> Int {
        if case .failure = plan[operand].kind, isStrict { return operand }
        let kind = PlanNode.Kind.select(operand, field, isOptional: isOptional)
        guard let found = fieldType(type(operand)) else {
            if !isStrict { return plan.add(kind, .dyn, at: offset) }
            let message = "\(shown(type(operand))) has no field '\(field.shortened())'"
            return fail(.type, message, at: offset, hint: fieldHint(operand, field))
        }
        if isOptional, case .optional = type(operand) { return plan.add(kind, found, at: offset) }
        return plan.add(kind, isOptional ? .optional(found) : found, at: offset)
    }

    /// Returns the type of an element, or nil if the operand has no elements with this key.
    private mutating func elementType(_ type: CELType, _ key: CELType) -> CELType? {
        switch type {
        case .list(let element): return substitution.unify([key], [.int]) ? element : nil
        case .map(let known, let value): return substitution.unify([key], [known]) ? value : nil
        case .dyn: return .dyn
        case .parameter:
            _ = substitution.unify([type], [.dyn])
            return .dyn
        case .optional(let inner):
            return elementType(substitution.resolve(inner, isFinal: false), key).map { .optional($0) }
        default: return nil
        }
    }

    mutating func visitIndex(_ operand: Int, _ key: Int, _ isOptional: Bool, _ node: SyntaxNode) -> Int {
        if case .failure = plan[operand].kind, isStrict { return operand }
        let kind = PlanNode.Kind.index(operand, key, isOptional: isOptional)
        guard let element = elementType(type(operand), type(key)) else {
            if !isStrict { return plan.add(kind, .dyn, at: node.offset) }
            return fail(
                .type,
                "\(shown(type(operand))) has no index of type \(shown(type(key)))",
                at: node.offset
            )
        }
        if isOptional, case .optional = type(operand) { return plan.add(kind, element, at: node.offset) }
        return plan.add(kind, isOptional ? .optional(element) : element, at: node.offset)
    }
}
