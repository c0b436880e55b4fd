extension Checker {
    /// Checks `cel.bind`, `cel.block`, and the names inside it.
    mutating func celMacro(_ name: String, _ arguments: [Int], _ node: SyntaxNode) -> Int? {
        switch (name, arguments.count) {
        case ("bind", 3): return bind(arguments, node)
        case ("block", 2): return block(arguments, node)
        case ("index", 1):
            guard case .literal(.int(let index)) = tree[arguments[0]].kind, let block = entries.last,
                index >= 0, index < Int64(block.types.count)
            else { return fail(.undeclared, "cel.index names no entry before it", at: node.offset) }
            return plan.add(.entry(block.base + Int(index)), block.types[Int(index)], at: node.offset)
        case ("iterVar", 2):
            guard case .call(let target?, _, _) = node.kind, case .identifier("cel", _) = tree[target].kind,
                case .literal(.int(let depth)) = tree[arguments[0]].kind,
                case .literal(.int(let index)) = tree[arguments[1]].kind,
                let bound = scope.last(where: { $0.name == "@it:\(depth):\(index)" })
            else { return fail(.undeclared, "cel.iterVar names no variable of a macro around it", at: node.offset) }
            return plan.add(.local(bound.local), bound.type, at: node.offset)
        default: return nil
        }
    }

    private mutating func bind(_ arguments: [Int], _ node: SyntaxNode) -> Int {
        guard let name = boundName(arguments[0]) else {
            return fail(.syntax, "a macro's variable is a plain name", at: node.offset)
        }
        let value = visit(arguments[1])
        let local = newLocal(type(value))
        scope.append((name, local, type(value)))
        defer { scope.removeLast() }
        let body = visit(arguments[2])
        return plan.add(.bind(local, value, body), type(body), at: node.offset)
    }

    private mutating func block(_ arguments: [Int], _ node: SyntaxNode) -> Int {
        guard case .list(let elements) = tree[arguments[0]].kind, elements.count <= 64, entries.isEmpty else {
            return fail(.syntax, "cel.block takes a list of at most 64 entries, once", at: node.offset)
        }
        let base = plan.entryCount
        plan.entryCount += elements.count
        entries.append((base, []))
        defer { entries.removeLast() }
        var parts: [Int] = []
        for element in elements {
            let part = visit(element.value)
            parts.append(part)
            entries[entries.count - 1].types.append(type(part))
        }
        let body = visit(arguments[1])
        return plan.add(.block(base, parts, body), type(body), at: node.offset)
    }
}
