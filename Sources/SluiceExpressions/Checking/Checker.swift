/// The checker, which resolves the names, types, and overloads of an expression and collects all errors.
///
/// In an expression that isn't checked, an error becomes a part that fails when it is evaluated.
struct Checker {
    let tree: SyntaxTree
    let source: SourceText
    let library: Library
    let variables: [String: (index: Int, type: CELType)]
    let container: [String]
    let isStrict: Bool
    /// A Boolean value that indicates whether a `?:` with the branches `null` and another type has the type `dyn`.
    let joinsNull: Bool
    var plan = Plan()
    var substitution: Substitution
    var issues: [CELError.Issue] = []
    var undeclaredNames: Set<String> = []
    var scope: [(name: String, local: Int, type: CELType)] = []
    var entries: [(base: Int, types: [CELType])] = []

    init(
        tree: SyntaxTree,
        source: SourceText,
        library: Library,
        variables: [String: (index: Int, type: CELType)],
        container: [String],
        isStrict: Bool,
        joinsNull: Bool = false,
        fuel: Int
    ) {
        self.tree = tree
        self.source = source
        self.library = library
        self.variables = variables
        self.container = container
        self.isStrict = isStrict
        self.joinsNull = joinsNull
        substitution = Substitution(fuel: fuel)
    }

    mutating func check() -> Plan {
        plan.root = visit(tree.root)
        for index in plan.nodes.indices {
            plan.nodes[index].type = substitution.resolve(plan.nodes[index].type, isFinal: true)
        }
        for index in plan.localTypes.indices {
            plan.localTypes[index] = substitution.resolve(plan.localTypes[index], isFinal: true)
        }
        return plan
    }

    func type(_ index: Int) -> CELType { substitution.resolve(plan[index].type, isFinal: false) }

    static let maximumIssueCount = 50

    /// A Boolean value that indicates whether an issue would be kept, so that searching for a hint is worthwhile.
    var canReport: Bool { isStrict && issues.count < Checker.maximumIssueCount }

    /// Reports an error; in an expression that isn't checked, adds a part that fails when it is evaluated.
    mutating func fail(_ code: CELError.Code, _ message: String, at offset: Int, hint: String? = nil) -> Int {
        if canReport { issues.append(source.issue(code, message, at: offset, hint: hint)) }
        return plan.add(.failure(code, message), .dyn, at: offset)
    }

    mutating func visit(_ index: Int) -> Int {
        let node = tree[index]
        switch node.kind {
        case .literal(let value): return plan.add(.constant(value), CELType(of: value), at: node.offset)
        case .identifier, .select: return visitName(index, node)
        case .index(let operand, let key, let isOptional):
            return visitIndex(visit(operand), visit(key), isOptional, node)
        case .call(let target, let name, let arguments): return visitCall(target, name, arguments, node)
        case .unary(let symbol, let operand):
            return resolve(symbol.function, isMember: false, [visit(operand)], at: node.offset)
        case .binary(let symbol, let left, let right):
            return resolve(symbol.function, isMember: false, [visit(left), visit(right)], at: node.offset)
        case .logic(let symbol, let operands): return visitLogic(symbol, operands, node)
        case .conditional(let condition, let first, let second):
            return visitConditional(visit(condition), visit(first), visit(second), node)
        case .list(let elements): return visitList(elements, node)
        case .map(let entries): return visitMap(entries, node)
        }
    }

    private mutating func visitLogic(_ symbol: Operator, _ operands: [Int], _ node: SyntaxNode) -> Int {
        var visited: [Int] = []
        for operand in operands {
            let part = visit(operand)
            expect(.bool, part, "\(symbol.rawValue) takes bool")
            visited.append(part)
        }
        return plan.add(.logic(symbol, visited), .bool, at: node.offset)
    }

    private mutating func expect(_ type: CELType, _ part: Int, _ message: String) {
        guard !substitution.unify([self.type(part)], [type]), isStrict else { return }
        _ = fail(.type, "\(message), found \(shown(self.type(part)))", at: plan[part].offset)
    }

    func shown(_ type: CELType) -> CELType { substitution.resolve(type, isFinal: true) }

    private mutating func visitConditional(_ condition: Int, _ first: Int, _ second: Int, _ node: SyntaxNode) -> Int {
        expect(.bool, condition, "the condition before ? is a bool")
        let kind = PlanNode.Kind.conditional(condition, first, second)
        let types = [type(first), type(second)]
        if substitution.unify([types[0]], [types[1]]) {
            return plan.add(kind, Substitution.general(type(first), type(second)), at: node.offset)
        }
        let hasNull = shown(types[0]) == .null || shown(types[1]) == .null
        if isStrict, !(joinsNull && hasNull) {
            return fail(
                .type,
                "both answers of ?: are of one type, found \(shown(types[0])) and \(shown(types[1]))",
                at: node.offset,
                hint: "use dyn(…) around one of them"
            )
        }
        return plan.add(kind, .dyn, at: node.offset)
    }

    private mutating func join(_ type: CELType?, _ next: CELType) -> CELType {
        guard let type else { return next }
        guard substitution.unify([type], [next]) else { return .dyn }
        return Substitution.general(
            substitution.resolve(type, isFinal: false),
            substitution.resolve(next, isFinal: false)
        )
    }

    private mutating func optionalElement(_ part: Int, _ isOptional: Bool) -> CELType {
        guard isOptional else { return type(part) }
        let element = substitution.fresh()
        expect(.optional(element), part, "an entry after ? is an optional")
        return substitution.resolve(element, isFinal: false)
    }

    private mutating func visitList(_ elements: [SyntaxElement], _ node: SyntaxNode) -> Int {
        var element: CELType?
        var visited: [SyntaxElement] = []
        for item in elements {
            let part = visit(item.value)
            element = join(element, optionalElement(part, item.isOptional))
            visited.append(SyntaxElement(value: part, isOptional: item.isOptional))
        }
        return plan.add(.list(visited), .list(element ?? substitution.fresh()), at: node.offset)
    }

    private mutating func visitMap(_ entries: [SyntaxEntry], _ node: SyntaxNode) -> Int {
        var key: CELType?
        var value: CELType?
        var visited: [SyntaxEntry] = []
        for entry in entries {
            let keyPart = visit(entry.key)
            let part = visit(entry.value)
            key = join(key, type(keyPart))
            value = join(value, optionalElement(part, entry.isOptional))
            visited.append(SyntaxEntry(key: keyPart, value: part, isOptional: entry.isOptional))
        }
        let types = (key ?? substitution.fresh(), value ?? substitution.fresh())
        return plan.add(.map(visited), .map(types.0, types.1), at: node.offset)
    }
}
