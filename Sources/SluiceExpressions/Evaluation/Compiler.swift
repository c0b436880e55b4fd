/// A compiler of plans to closures, each specialized by the static types of its parts.
struct Compiler {
    let plan: Plan
    let locations: [CELSlots.Location]
    /// The locations of the names that macros bind: ints, uints, doubles, and bools as bits after the variables.
    let locals: [CELSlots.Location]
    /// The regular expressions of the text.
    let patterns: [ScalarText: PatternResult]

    func boxed(_ index: Int) -> Run<CELValue> { code(index).boxed }

    func bool(_ index: Int) -> Run<Bool> {
        let offset = plan[index].offset
        switch code(index) {
        case .bool(let run): return run
        case let other:
            let run = other.boxed
            return { frame throws(Fault) in
                let value = try run(&frame)
                if case .bool(let bool) = value { return bool }
                throw wrongType("bool", value, at: offset)
            }
        }
    }

    func int(_ index: Int) -> Run<Int64> {
        let offset = plan[index].offset
        switch code(index) {
        case .int(let run): return run
        case let other:
            let run = other.boxed
            return { frame throws(Fault) in
                let value = try run(&frame)
                if case .int(let int) = value { return int }
                throw wrongType("int", value, at: offset)
            }
        }
    }

    func uint(_ index: Int) -> Run<UInt64> {
        let offset = plan[index].offset
        switch code(index) {
        case .uint(let run): return run
        case let other:
            let run = other.boxed
            return { frame throws(Fault) in
                let value = try run(&frame)
                if case .uint(let uint) = value { return uint }
                throw wrongType("uint", value, at: offset)
            }
        }
    }

    func double(_ index: Int) -> Run<Double> {
        let offset = plan[index].offset
        switch code(index) {
        case .double(let run): return run
        case let other:
            let run = other.boxed
            return { frame throws(Fault) in
                let value = try run(&frame)
                if case .double(let double) = value { return double }
                throw wrongType("double", value, at: offset)
            }
        }
    }

    func string(_ index: Int) -> Run<String> {
        let offset = plan[index].offset
        if case .variable(let variable) = plan[index].kind, locations[variable].isBoxed {
            let slot = locations[variable].slot
            return { frame throws(Fault) in
                if case .some(.string(let string)) = frame.values[slot] { return string }
                guard let value = frame.values[slot] else {
                    throw Fault(.binding, "the variable has no value", at: offset)
                }
                throw wrongType("string", value, at: offset)
            }
        }
        switch code(index) {
        case .string(let run): return run
        case let other:
            let run = other.boxed
            return { frame throws(Fault) in
                let value = try run(&frame)
                if case .string(let string) = value { return string }
                throw wrongType("string", value, at: offset)
            }
        }
    }

    func code(_ index: Int) -> Code {
        let node = plan[index]
        let offset = node.offset
        switch node.kind {
        case .constant(let value): return Compiler.constant(value)
        case .variable(let variable): return read(locations[variable], at: offset)
        case .local(let local):
            let location = locals[local]
            guard location.isBoxed else { return read(location, at: offset) }
            return .value { frame throws(Fault) in frame.locals[location.slot] }
        case .entry(let entry): return .value(self.entry(entry))
        case .select(let operand, let field, let isOptional):
            return .value(select(boxed(operand), field, isOptional, at: offset))
        case .has(let operand, let field): return .bool(has(boxed(operand), field, at: offset))
        case .index(let operand, let key, let isOptional):
            return .value(subscripted(boxed(operand), boxed(key), isOptional, at: offset))
        case .call(let name, let overloads, let arguments): return call(name, overloads, arguments, node)
        case .logic(let symbol, let operands): return .bool(logic(symbol == .or, operands))
        case .conditional(let condition, let first, let second):
            return conditional(bool(condition), first, second, node)
        case .list(let elements): return .value(list(elements))
        case .map(let entries): return .value(map(entries, at: offset))
        case .comprehension(let comprehension): return self.comprehension(comprehension, at: offset)
        case .bind(let local, let value, let body):
            return bind(local, value, body)
        case .block(let base, let entries, let body): return .value(block(base, entries, body))
        case .optionalMap(let local, let target, let body, let isFlat):
            return .value(optionalMap(local, boxed(target), boxed(body), isFlat, at: offset))
        case .failure(let code, let message):
            return .value { _ throws(Fault) in throw Fault(code, message, at: offset) }
        }
    }

    private static func constant(_ value: CELValue) -> Code {
        switch value {
        case .int(let value): .int { _ throws(Fault) in value }
        case .uint(let value): .uint { _ throws(Fault) in value }
        case .double(let value): .double { _ throws(Fault) in value }
        case .bool(let value): .bool { _ throws(Fault) in value }
        case .string(let value): .string { _ throws(Fault) in value }
        default: .value { _ throws(Fault) in value }
        }
    }

    private func read(_ location: CELSlots.Location, at offset: Int) -> Code {
        let slot = location.slot
        return switch location.kind {
        case .int: .int { frame throws(Fault) in Int64(bitPattern: frame.numbers[slot]) }
        case .uint: .uint { frame throws(Fault) in frame.numbers[slot] }
        case .double: .double { frame throws(Fault) in Double(bitPattern: frame.numbers[slot]) }
        case .bool: .bool { frame throws(Fault) in frame.numbers[slot] != 0 }
        case .value, .any:
            .value { frame throws(Fault) in
                if let value = frame.values[slot] { return value }
                throw Fault(.binding, "the variable has no value", at: offset)
            }
        }
    }

    /// Compiles a name's value, then the expression that uses it, without boxing if the types are known.
    private func bind(_ local: Int, _ value: Int, _ body: Int) -> Code {
        let set = setter(local, value)
        return switch code(body) {
        case .int(let run):
            .int { frame throws(Fault) in
                try set(&frame); return try run(&frame)
            }
        case .uint(let run):
            .uint { frame throws(Fault) in
                try set(&frame); return try run(&frame)
            }
        case .double(let run):
            .double { frame throws(Fault) in
                try set(&frame); return try run(&frame)
            }
        case .bool(let run):
            .bool { frame throws(Fault) in
                try set(&frame); return try run(&frame)
            }
        case .string(let run):
            .string { frame throws(Fault) in
                try set(&frame); return try run(&frame)
            }
        case .value(let run):
            .value { frame throws(Fault) in
                try set(&frame); return try run(&frame)
            }
        }
    }

    private func setter(_ local: Int, _ index: Int) -> Run<Void> {
        let location = locals[local]
        let slot = location.slot
        switch location.kind {
        case .int:
            let value = int(index)
            return { frame throws(Fault) in frame.numbers[slot] = UInt64(bitPattern: try value(&frame)) }
        case .uint:
            let value = uint(index)
            return { frame throws(Fault) in frame.numbers[slot] = try value(&frame) }
        case .double:
            let value = double(index)
            return { frame throws(Fault) in frame.numbers[slot] = try value(&frame).bitPattern }
        case .bool:
            let value = bool(index)
            return { frame throws(Fault) in frame.numbers[slot] = try value(&frame) ? 1 : 0 }
        case .value, .any:
            let value = boxed(index)
            return { frame throws(Fault) in frame.locals[slot] = try value(&frame) }
        }
    }

    private func entry(_ entry: Int) -> Run<CELValue> {
        // A block sets its entries in order before the expression that uses them.
        { frame throws(Fault) in
            if let value = frame.entries[entry] { return value }
            throw Fault(.undeclared, "an entry of cel.block has no value")
        }
    }

    private func block(_ base: Int, _ entries: [Int], _ body: Int) -> Run<CELValue> {
        let parts = entries.map(boxed)
        let body = boxed(body)
        return { frame throws(Fault) in
            for (position, part) in parts.enumerated() { frame.entries[base + position] = try part(&frame) }
            return try body(&frame)
        }
    }

    /// Returns the cost of a part that runs once: one unit for each node, without the repeated bodies of
    /// comprehensions.
    func cost(_ index: Int) -> Int {
        switch plan[index].kind {
        case .constant, .variable, .local, .entry, .failure: return 1
        case .select(let operand, _, _), .has(let operand, _): return 1 + cost(operand)
        case .index(let operand, let key, _): return 1 + cost(operand) + cost(key)
        case .call(_, _, let arguments), .logic(_, let arguments): return arguments.reduce(1) { $0 + cost($1) }
        case .conditional(let condition, let first, let second):
            return 1 + cost(condition) + max(cost(first), cost(second))
        case .list(let elements): return elements.reduce(1) { $0 + cost($1.value) }
        case .map(let entries): return entries.reduce(1) { $0 + cost($1.key) + cost($1.value) }
        case .comprehension(let comprehension): return 1 + cost(comprehension.range)
        case .bind(_, let value, let body): return 1 + cost(value) + cost(body)
        case .block(_, let entries, let body): return entries.reduce(1 + cost(body)) { $0 + cost($1) }
        case .optionalMap(_, let target, let body, _): return 1 + cost(target) + cost(body)
        }
    }
}
