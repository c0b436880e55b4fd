extension Checker {
    /// The syntax of each macro.
    static let macroForms: [String: String] = [
        "all": "l.all(x, x > 0) or m.all(k, v, v > 0)",
        "exists": "l.exists(x, x > 0) or m.exists(k, v, v > 0)",
        "exists_one": "l.exists_one(x, x > 0) or m.exists_one(k, v, v > 0)",
        "existsOne": "l.existsOne(x, x > 0) or m.existsOne(k, v, v > 0)",
        "map": "l.map(x, x + 1) or l.map(x, x > 0, x + 1)",
        "filter": "l.filter(x, x > 0)",
        "transformList": "m.transformList(k, v, v + 1) or m.transformList(k, v, v > 0, v + 1)",
        "transformMap": "m.transformMap(k, v, v + 1) or m.transformMap(k, v, v > 0, v + 1)",
        "transformMapEntry": "m.transformMapEntry(k, v, {v: k}) or m.transformMapEntry(k, v, v > 0, {v: k})",
        "has": "has(x.name)",
        "optMap": "o.optMap(x, x + 1)",
        "optFlatMap": "o.optFlatMap(x, optional.of(x))",
        "sortBy": "l.sortBy(x, x.name)",
    ]
    static let macros = macroForms.keys.filter { $0 != "has" }

    /// Expands the call of a macro; returns nil if it isn't one.
    mutating func macro(_ target: Int?, _ name: String, _ arguments: [Int], _ node: SyntaxNode) -> Int? {
        guard let target else {
            return name == "has" && arguments.count == 1 ? visitHas(arguments[0], node) : nil
        }
        if let (names, _) = tree.qualifiedName(target), names.count == 1,
            !scope.contains(where: { $0.name == names[0] })
        {
            switch names[0] {
            case "cel": return celMacro(name, arguments, node)
            case "math" where name == "greatest" || name == "least": return extreme(name, arguments, node)
            default: break
            }
        }
        switch (name, arguments.count) {
        case ("all", 2), ("all", 3): return comprehension(.all, target, arguments, node)
        case ("exists", 2), ("exists", 3): return comprehension(.exists, target, arguments, node)
        case ("exists_one", 2), ("exists_one", 3), ("existsOne", 2), ("existsOne", 3):
            return comprehension(.existsOne, target, arguments, node)
        case ("filter", 2): return comprehension(.filter, target, arguments, node)
        case ("map", 2), ("map", 3): return comprehension(.map, target, arguments, node, variables: 1)
        case ("transformList", 3), ("transformList", 4):
            return comprehension(.map, target, arguments, node, variables: 2)
        case ("transformMap", 3), ("transformMap", 4):
            return comprehension(.transformMap, target, arguments, node, variables: 2)
        case ("transformMapEntry", 3), ("transformMapEntry", 4):
            return comprehension(.transformMapEntry, target, arguments, node, variables: 2)
        case ("sortBy", 2): return comprehension(.sortBy, target, arguments, node)
        case ("optMap", 2), ("optFlatMap", 2):
            return optionalMap(target, arguments, isFlat: name == "optFlatMap", node)
        default: return nil
        }
    }

    private mutating func visitHas(_ argument: Int, _ node: SyntaxNode) -> Int {
        guard case .select(let operand, let field, let isOptional, _) = tree[argument].kind else {
            return fail(.syntax, "has() takes a field: has(x.name)", at: node.offset)
        }
        let part = visit(operand)
        let selected = select(part, field, isOptional: isOptional, at: node.offset)
        if case .failure = plan[selected].kind, isStrict { return selected }
        return plan.add(.has(part, field), .bool, at: node.offset)
    }

    /// Returns the name that a macro binds: a plain name, or `cel.iterVar(n, m)`.
    func boundName(_ index: Int) -> String? {
        switch tree[index].kind {
        case .identifier(let name, isAbsolute: false): return name
        case .call(let target?, "iterVar", let arguments): return iterationName(target, arguments)
        default: return nil
        }
    }

    private func iterationName(_ target: Int, _ arguments: [Int]) -> String? {
        guard arguments.count == 2, case .identifier("cel", _) = tree[target].kind,
            case .literal(.int(let depth)) = tree[arguments[0]].kind,
            case .literal(.int(let index)) = tree[arguments[1]].kind
        else { return nil }
        return "@it:\(depth):\(index)"
    }

    mutating func newLocal(_ type: CELType) -> Int {
        plan.localTypes.append(type)
        return plan.localTypes.count - 1
    }

    private mutating func comprehension(
        _ kind: Comprehension.Kind,
        _ target: Int,
        _ arguments: [Int],
        _ node: SyntaxNode,
        variables: Int? = nil
    ) -> Int {
        let count = variables ?? arguments.count - 1
        let names = arguments[..<count].map(boundName)
        let range = visit(target)
        for (position, name) in names.enumerated() where name == nil {
            return fail(.syntax, "a macro's variable is a plain name", at: tree[arguments[position]].offset)
        }
        if names.count == 2, names[0] == names[1] {
            return fail(.syntax, "the two variables have one name", at: tree[arguments[1]].offset)
        }
        let types = rangeTypes(range, isPair: count == 2)
        let depth = scope.count
        var locals: [Int] = []
        for (position, name) in names.enumerated() {
            let type = position == 0 ? types.0 : types.1
            locals.append(newLocal(type))
            scope.append((name ?? "", locals[position], type))
        }
        defer { scope.removeLast(scope.count - depth) }
        let parts = visitAll(Array(arguments[count...]))
        let body = parts[parts.count - 1]
        var condition = parts.count == 2 ? parts[0] : nil
        var result: CELType
        switch kind {
        case .all, .exists, .existsOne:
            requireBool(body)
            result = .bool
        case .filter:
            requireBool(body)
            condition = body
            result = .list(types.0)
        case .map: result = .list(type(body))
        case .sortBy: result = .list(types.0)
        case .transformMap: result = .map(types.0, type(body))
        case .transformMapEntry:
            result = .dyn
            if case .map = type(body) { result = type(body) }
        }
        if let condition, kind != .filter { requireBool(condition) }
        let value = Comprehension(
            kind: kind,
            range: range,
            first: locals[0],
            second: locals.count == 2 ? locals[1] : nil,
            condition: condition,
            body: body
        )
        return plan.add(.comprehension(value), result, at: node.offset)
    }

    private mutating func requireBool(_ part: Int) {
        guard isStrict, !substitution.unify([type(part)], [.bool]) else { return }
        _ = fail(.type, "the macro's condition is a bool, found \(shown(type(part)))", at: plan[part].offset)
    }

    /// Returns the types of the first and the second variable.
    private mutating func rangeTypes(_ range: Int, isPair: Bool) -> (CELType, CELType) {
        switch type(range) {
        case .list(let element): return isPair ? (.int, element) : (element, element)
        case .map(let key, let value): return (key, value)
        case .dyn: return (.dyn, .dyn)
        case .parameter:
            _ = substitution.unify([type(range)], [.dyn])
            return (.dyn, .dyn)
        default:
            if isStrict {
                _ = fail(
                    .type,
                    "a macro goes over a list or a map, found \(shown(type(range)))",
                    at: plan[range].offset
                )
            }
            return (.dyn, .dyn)
        }
    }

    private mutating func optionalMap(_ target: Int, _ arguments: [Int], isFlat: Bool, _ node: SyntaxNode) -> Int {
        guard let name = boundName(arguments[0]) else {
            return fail(.syntax, "a macro's variable is a plain name", at: node.offset)
        }
        let part = visit(target)
        let element = substitution.fresh()
        if !substitution.unify([type(part)], [.optional(element)]), isStrict {
            return fail(.type, "optMap takes an optional, found \(shown(type(part)))", at: plan[part].offset)
        }
        let content = substitution.resolve(element, isFinal: false)
        let local = newLocal(content)
        scope.append((name, local, content))
        defer { scope.removeLast() }
        let body = visit(arguments[1])
        var result = CELType.optional(type(body))
        if isFlat {
            let inner = substitution.fresh()
            if !substitution.unify([type(body)], [.optional(inner)]), isStrict {
                return fail(.type, "optFlatMap answers an optional, found \(shown(type(body)))", at: plan[body].offset)
            }
            result = .optional(inner)
        }
        return plan.add(.optionalMap(local, part, body, isFlat: isFlat), result, at: node.offset)
    }

    private mutating func extreme(_ name: String, _ arguments: [Int], _ node: SyntaxNode) -> Int {
        let function = name == "greatest" ? "math.@max" : "math.@min"
        guard !arguments.isEmpty else { return fail(.type, "math.\(name) takes at least one number", at: node.offset) }
        let parts = visitAll(arguments)
        if parts.count <= 2 { return resolve(function, isMember: false, parts, at: node.offset) }
        for part in parts where isStrict {
            guard ![CELType.int, .uint, .double, .dyn].contains(shown(type(part))) else { continue }
            return fail(.type, "math.\(name) takes numbers, found \(shown(type(part)))", at: plan[part].offset)
        }
        let same = Set(parts.map { shown(type($0)) })
        let list = plan.add(
            .list(parts.map { SyntaxElement(value: $0, isOptional: false) }),
            .list(same.count == 1 ? same.first ?? .dyn : .dyn),
            at: node.offset
        )
        return resolve(function, isMember: false, [list], at: node.offset)
    }
}
