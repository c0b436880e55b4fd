/// A second check of an expression whose variables have shapes: it follows the kinds of values through the expression and
/// reports each part that fails on all of them.
///
/// The first check treats these variables as dynamic. A part is reported only if its evaluation fails whatever the values
/// are: a field that none of them has, or a function that takes none of their kinds. A part that a condition may skip is
/// reported too, since it fails whenever it is evaluated.
struct ShapeChecker {
    let plan: Plan
    let source: SourceText
    /// The shapes of the variables, by their indexes.
    let variables: [CELShape]
    var locals: [CELShape]
    var entries: [CELShape]
    /// The number of steps of joining shapes, and of comparing names for hints, that are left.
    var fuel: Int
    var issues: [CELError.Issue] = []

    init(plan: Plan, source: SourceText, variables: [CELShape], fuel: Int) {
        (self.plan, self.source, self.variables, self.fuel) = (plan, source, variables, fuel)
        locals = Array(repeating: .any, count: plan.localTypes.count)
        entries = Array(repeating: .any, count: plan.entryCount)
    }

    /// Returns the shape of the results.
    mutating func check() -> CELShape { visit(plan.root) }

    /// A Boolean value that indicates whether an issue would be kept, so that searching for a hint is worthwhile.
    var canReport: Bool { issues.count < Checker.maximumIssueCount }

    /// Reports a part that always fails. The hint is made only if the issue is kept.
    mutating func fail(
        _ code: CELError.Code,
        _ message: String,
        at offset: Int,
        hint: @autoclosure () -> String? = nil
    ) -> CELShape {
        if canReport { issues.append(source.issue(code, message, at: offset, hint: hint())) }
        return .any
    }

    mutating func join(_ left: CELShape?, _ right: CELShape) -> CELShape {
        left.map { $0.joined(with: right, &fuel) } ?? right
    }

    mutating func visit(_ index: Int) -> CELShape {
        let node = plan[index]
        switch node.kind {
        case .constant(let value): return CELType(of: value).shape
        case .variable(let variable): return variables[variable]
        case .local(let local): return locals[local]
        case .entry(let entry): return entries[entry]
        case .select(let operand, let field, let isOptional):
            let shape = visit(operand)
            return isOptional ? CELShape(.optional) : select(field, of: shape, at: node.offset)
        case .has(let operand, _):
            _ = visit(operand)
            return CELShape(.bool)
        case .index(let operand, let key, let isOptional):
            let (shape, keys) = (visit(operand), visit(key))
            return isOptional ? CELShape(.optional) : element(of: shape, at: key, keys, node.offset)
        case .call(let name, let overloads, let arguments):
            var shapes: [CELShape] = []
            for argument in arguments { shapes.append(visit(argument)) }
            return call(name, overloads, shapes, at: node.offset)
        case .logic(let symbol, let operands):
            var isBool = false
            for operand in operands where visit(operand).kinds.contains(.bool) { isBool = true }
            // One operand that decides makes up for another that fails.
            if isBool { return CELShape(.bool) }
            return fail(.type, "\(symbol.rawValue) takes bool", at: plan[operands[0]].offset)
        case .conditional(let condition, let first, let second):
            let kinds = visit(condition)
            let (left, right) = (visit(first), visit(second))
            if kinds.kinds.contains(.bool) { return join(left, right) }
            let message = "the condition before ? is a bool, found \(kinds)"
            return fail(.type, message, at: plan[condition].offset)
        case .list(let elements): return list(elements)
        case .map(let entries): return map(entries)
        case .comprehension(let comprehension): return visit(comprehension, at: node.offset)
        case .bind(let local, let value, let body):
            locals[local] = visit(value)
            return visit(body)
        case .block(let base, let parts, let body):
            for (index, part) in parts.enumerated() { entries[base + index] = visit(part) }
            return visit(body)
        case .optionalMap(_, let target, let body, _):
            _ = visit(target)
            _ = visit(body)
            return CELShape(.optional)
        case .failure: return .any
        }
    }

    private mutating func list(_ elements: [SyntaxElement]) -> CELShape {
        var shape: CELShape?
        for element in elements {
            let value = visit(element.value)
            shape = join(shape, element.isOptional ? .any : value)
        }
        return CELShape(.list, element: shape)
    }

    private mutating func map(_ entries: [SyntaxEntry]) -> CELShape {
        var fields: [String: CELShape]? = [:]
        for entry in entries {
            _ = visit(entry.key)
            let value = visit(entry.value)
            if case .constant(.string(let name)) = plan[entry.key].kind {
                fields?[name] = entry.isOptional ? .any : value
            } else {
                fields = nil
            }
        }
        return CELShape(.map, fields: fields.map { CELShape.Fields(named: $0, rest: nil) })
    }

    /// Returns the shape of a macro's result.
    private mutating func visit(_ comprehension: Comprehension, at offset: Int) -> CELShape {
        let range = visit(comprehension.range)
        guard !range.kinds.isDisjoint(with: [.list, .map]) else {
            return fail(
                .type,
                "a macro goes over a list or a map, found \(range)",
                at: plan[comprehension.range].offset
            )
        }
        var (first, second): (CELShape?, CELShape?) = (nil, nil)
        if range.kinds.contains(.list) {
            (first, second) = comprehension.second == nil ? (range.element, nil) : (CELShape(.int), range.element)
        }
        if range.kinds.contains(.map) {
            first = join(first, range.fields == nil ? .any : CELShape(.string))
            second = join(second, values(of: range))
        }
        locals[comprehension.first] = first ?? .any
        if let local = comprehension.second { locals[local] = second ?? .any }
        if let condition = comprehension.condition { _ = visit(condition) }
        let body = comprehension.condition == comprehension.body ? .any : visit(comprehension.body)
        switch comprehension.kind {
        case .all, .exists, .existsOne: return CELShape(.bool)
        case .filter, .sortBy: return CELShape(range.kinds.contains(.map) ? [.list, .map] : .list, element: first)
        case .map: return CELShape(.list, element: body)
        case .transformMap, .transformMapEntry: return CELShape(.map)
        }
    }
}
