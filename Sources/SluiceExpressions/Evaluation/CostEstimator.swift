/// An estimator of the upper bound of an evaluation's cost, from the sizes of the variables. All sums and products
/// saturate at `Int.max`.
///
/// The size of a value is the number of bytes of its strings and of its elements at all levels; so no part of a value
/// is larger than the value.
struct CostEstimator {
    let plan: Plan
    let limits: CELLimits
    /// The sizes by variable; a missing variable has no bound.
    let sizes: [Int: Int]
    let patterns: [ScalarText: PatternResult]
    private var locals: [Int: Int] = [:]
    private var entries: [Int: Int] = [:]

    init(_ program: Program, sizes: [Int: Int]) {
        plan = program.plan
        limits = program.limits
        patterns = program.patterns
        self.sizes = sizes
    }

    /// The upper bounds of a part's cost and of the size of its result.
    struct Bound {
        var cost: Int
        var size: Int
    }

    mutating func bound(_ index: Int) -> Bound {
        let node = plan[index]
        var bound = unsized(index)
        if CostEstimator.isScalar(node.type) { bound.size = 1 }
        return bound
    }

    private static func isScalar(_ type: CELType) -> Bool {
        switch type {
        case .null, .bool, .int, .uint, .double, .duration, .timestamp: true
        default: false
        }
    }

    private mutating func unsized(_ index: Int) -> Bound {
        switch plan[index].kind {
        case .constant(let value): return Bound(cost: 1, size: value.totalSize)
        case .variable(let variable): return Bound(cost: 1, size: sizes[variable] ?? .max)
        case .local(let local): return Bound(cost: 1, size: locals[local] ?? .max)
        case .entry(let entry): return Bound(cost: 1, size: entries[entry] ?? .max)
        case .failure: return Bound(cost: 1, size: 1)
        case .select(let operand, let field, _), .has(let operand, let field):
            let operand = bound(operand)
            return Bound(cost: operand.cost.adding(1 + field.utf8.count / 20), size: operand.size)
        case .index(let operand, let key, _):
            let (operand, key) = (bound(operand), bound(key))
            let lookup = 6 + key.size / 20
            return Bound(cost: operand.cost.adding(key.cost).adding(lookup), size: operand.size)
        case .call(let name, let overloads, let arguments): return call(name, overloads, arguments)
        case .logic(_, let operands):
            let failing = operands.count { canFail($0) }
            var bound = all(operands)
            bound.cost = bound.cost.adding(failing.multiplied(by: Frame.absorptionCost))
            return bound
        case .conditional(let condition, let first, let second):
            let (first, second) = (bound(first), bound(second))
            // Both are charged before it is known which of them is needed.
            return Bound(
                cost: bound(condition).cost.adding(first.cost).adding(second.cost).adding(1),
                size: max(first.size, second.size)
            )
        case .list(let elements): return all(elements.map(\.value))
        case .map(let entries):
            var bound = all(entries.flatMap { [$0.key, $0.value] })
            bound.cost = bound.cost.adding((6 * entries.count).adding(bound.size / 10))
            return bound
        case .comprehension(let comprehension): return self.comprehension(comprehension)
        case .bind(let local, let value, let body): return bind(value, body) { $0.locals[local] = $1 }
        case .optionalMap(let local, let target, let body, _): return bind(target, body) { $0.locals[local] = $1 }
        case .block(let base, let parts, let body):
            var cost = 1
            for (position, part) in parts.enumerated() {
                let part = bound(part)
                cost = cost.adding(part.cost)
                entries[base + position] = part.size
            }
            let body = bound(body)
            return Bound(cost: cost.adding(body.cost), size: body.size)
        }
    }

    private mutating func all(_ parts: [Int]) -> Bound {
        var bound = Bound(cost: 1, size: parts.count)
        for part in parts {
            let part = self.bound(part)
            bound.cost = bound.cost.adding(part.cost)
            bound.size = bound.size.adding(part.size)
        }
        return bound
    }

    private mutating func bind(
        _ value: Int,
        _ body: Int,
        _ set: (inout CostEstimator, Int) -> Void
    ) -> Bound {
        let value = bound(value)
        set(&self, value.size)
        let body = bound(body)
        return Bound(cost: value.cost.adding(body.cost).adding(1), size: body.size)
    }

    private mutating func comprehension(_ comprehension: Comprehension) -> Bound {
        let range = bound(comprehension.range)
        locals[comprehension.first] = range.size
        if let second = comprehension.second { locals[second] = range.size }
        let body = bound(comprehension.body)
        let condition = comprehension.condition.map { bound($0).cost } ?? 0
        var once = body.cost.adding(condition).adding(2)
        var extra = 0
        let size: Int
        switch comprehension.kind {
        case .all, .exists:
            size = 1
            if canFail(comprehension.body) { once = once.adding(Frame.absorptionCost) }
        case .existsOne: size = 1
        case .filter: size = range.size
        case .map: size = range.size.multiplied(by: body.size.adding(1))
        case .transformMap, .transformMapEntry:
            size = range.size.multiplied(by: body.size.adding(1)).adding(range.size)
            extra = size.multiplied(by: 7)
        case .sortBy:
            size = range.size
            extra = range.size.multiplied(by: body.size.adding(2)).multiplied(by: Int.bitWidth)
        }
        return Bound(cost: range.cost.adding(range.size.multiplied(by: once)).adding(extra).adding(1), size: size)
    }

    /// Returns whether a part may fail, as far as that is known without a search.
    private func canFail(_ index: Int) -> Bool {
        switch plan[index].kind {
        case .constant: false
        case .variable, .local: !CostEstimator.isScalar(plan[index].type)
        case .logic(_, let operands): operands.contains(where: canFail)
        case .call(let name, _, let arguments):
            !["_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "!_"].contains(name)
                || arguments.contains { !CostEstimator.isScalar(plan[$0].type) || canFail($0) }
        default: true
        }
    }

    // MARK: - Calls

    private mutating func call(_ name: String, _ overloads: [Overload], _ arguments: [Int]) -> Bound {
        var cost = 1
        var parts: [Int] = []
        for argument in arguments {
            let part = bound(argument)
            cost = cost.adding(part.cost)
            parts.append(part.size)
        }
        let total = parts.reduce(0) { $0.adding($1) }
        var own = 0
        for overload in overloads {
            switch overload.cost {
            case .fixed(let cost): own = max(own, cost)
            case .linear: own = max(own, total / 3 + 1)
            case .linearBeyond(let cost): own = max(own, (total / 3 + 1).adding(cost))
            case .product:
                own = max(own, ((parts.first ?? 0).adding(1)).multiplied(by: (parts.dropFirst().first ?? 0).adding(1)))
            }
        }
        let size = answerSize(name, overloads, parts, total)
        cost = cost.adding(own).adding(extra(name, parts, total, size, arguments))
        return Bound(cost: cost, size: size)
    }

    /// Returns the upper bound of a result's size.
    private func answerSize(_ name: String, _ overloads: [Overload], _ parts: [Int], _ total: Int) -> Int {
        if overloads.contains(where: \.isHost) { return .max }
        switch name {
        case "string": return total.adding(64)
        case "split", "regex.extractAll": return total.multiplied(by: 2).adding(1)
        case "format", "replace", "join", "regex.replace", "strings.quote", "base64.encode", "lists.range":
            return limits.maximumResultSize
        // Each element may be put in a list of its own, or a value in an optional.
        default: return total.adding(1)
        }
    }

    /// Returns the cost that the function itself charges for its arguments.
    private func extra(_ name: String, _ parts: [Int], _ total: Int, _ size: Int, _ arguments: [Int]) -> Int {
        if name == "duration" { return total.adding(1) }
        if name != "lists.range", arguments.allSatisfy({ CostEstimator.isScalar(plan[$0].type) }) { return 0 }
        switch name {
        case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_in_":
            return total.multiplied(by: 9).adding(12)
        case "size", "startsWith", "endsWith", "contains": return total.multiplied(by: 2).adding(8)
        case "_+_", "lists.range", "flatten": return size.multiplied(by: 3).adding(8)
        case "distinct", "sets.contains", "sets.equivalent", "sets.intersects":
            return total.multiplied(by: total).multiplied(by: 7).adding(total.multiplied(by: 14)).adding(1)
        case "sort": return total.multiplied(by: 3 * Int.bitWidth)
        case "format":
            let clauses = parts.first ?? 0
            return total.adding(1).multiplied(by: 600).adding(size.multiplied(by: clauses.adding(total)) / 10).adding(1)
        case "split", "replace", "join": return total.multiplied(by: 7).adding(size / 10).adding(32)
        case "matches", "regex.extract", "regex.extractAll", "regex.replace":
            return matching(arguments, parts, size)
        case "reverse": return total.adding(size / 10).adding(1)
        default: return size == .max ? 8 : size / 10 + 8
        }
    }

    private func matching(_ arguments: [Int], _ parts: [Int], _ size: Int) -> Int {
        var steps = RegularExpression.maximumProgramSize * 101
        var compiling = 0
        if arguments.count > 1, case .constant(.string(let pattern)) = plan[arguments[1]].kind,
            let known = patterns[ScalarText(text: pattern)]
        {
            guard case .success(let expression) = known else { return 16 + pattern.utf8.count }
            steps = expression.program.count * (expression.groups.count + 1)
            compiling = pattern.utf8.count / 10
        } else {
            let length = min(RegularExpression.maximumLength + 1, parts.dropFirst().first ?? 0)
            compiling = Library.compilationCost(length) + length + 4 * length + RegularExpression.maximumProgramSize
        }
        let text = (parts.first ?? 0).adding(1)
        let replacement = (parts.dropFirst(2).first ?? 0).adding(8)
        return text.multiplied(by: steps).multiplied(by: 4).adding(size).adding(text.multiplied(by: 10)).adding(32)
            .adding(compiling).adding(replacement.multiplied(by: text).multiplied(by: 2))
    }
}

extension Int {
    fileprivate func adding(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    fileprivate func multiplied(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
