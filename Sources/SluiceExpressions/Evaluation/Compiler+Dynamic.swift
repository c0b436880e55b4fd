/// An operand of unknown type, which is read without a call where possible.
private enum ValueOperand {
    case slot(ValueSlot)
    case local(ValueLocal)
    case int(ValueInt)
    case run(ValueRun)
}

/// The fallback of an operator over unknown types.
private struct Fallback: Sendable {
    var name: String
    var overloads: [Overload]
    var offset: Int
}

extension Compiler {
    /// Compiles an operator over operands of unknown types: ints first, then doubles, then the types of the overloads.
    func dynamic(_ name: String, _ overloads: [Overload], _ arguments: [Int], _ type: CELType, at offset: Int) -> Code?
    {
        let fallback = Fallback(name: name, overloads: overloads, offset: offset)
        return switch name {
        case "_==_": .bool(compare(Equal.self, arguments, fallback))
        case "_!=_": .bool(compare(NotEqual.self, arguments, fallback))
        case "_<_": .bool(compare(Less.self, arguments, fallback))
        case "_<=_": .bool(compare(LessOrEqual.self, arguments, fallback))
        case "_>_": .bool(compare(Greater.self, arguments, fallback))
        case "_>=_": .bool(compare(GreaterOrEqual.self, arguments, fallback))
        case "_+_": combine(Add.self, arguments, type, fallback)
        case "_-_": combine(Subtract.self, arguments, type, fallback)
        case "_*_": combine(Multiply.self, arguments, type, fallback)
        case "_/_": combine(Divide.self, arguments, type, fallback)
        case "_%_": combine(Remainder.self, arguments, type, fallback)
        default: nil
        }
    }

    /// The cost of the search for the overload of an operator.
    static let dispatchCost = 6

    private func operand(_ index: Int) -> ValueOperand {
        switch plan[index].kind {
        case .variable(let variable) where locations[variable].isBoxed:
            .slot(ValueSlot(slot: locations[variable].slot, offset: plan[index].offset))
        case .local(let local) where locals[local].isBoxed: .local(ValueLocal(local: locals[local].slot))
        case .constant(.int(let value)): .int(ValueInt(value: value))
        default: .run(ValueRun(run: boxed(index)))
        }
    }

    // MARK: - Comparisons

    private func compare<R: Relation>(_ type: R.Type, _ arguments: [Int], _ fallback: Fallback) -> Run<Bool> {
        switch operand(arguments[0]) {
        case .slot(let left): compare(type, left, arguments[1], fallback)
        case .local(let left): compare(type, left, arguments[1], fallback)
        case .run(let left): compare(type, left, arguments[1], fallback)
        case .int(let left):
            compare(type, ValueRun { _ throws(Fault) in .int(left.value) }, arguments[1], fallback)
        }
    }

    private func compare<R: Relation, L: ValueSource>(
        _ type: R.Type,
        _ left: L,
        _ second: Int,
        _ fallback: Fallback
    ) -> Run<Bool> {
        switch operand(second) {
        case .slot(let right): Compiler.compare(type, left, right, fallback)
        case .local(let right): Compiler.compare(type, left, right, fallback)
        case .int(let right): Compiler.compare(type, left, right, fallback)
        case .run(let right): Compiler.compare(type, left, right, fallback)
        }
    }

    private static func compare<R: Relation, L: ValueSource, S: ValueSource>(
        _ type: R.Type,
        _ left: L,
        _ right: S,
        _ fallback: Fallback
    ) -> Run<Bool> {
        { frame throws(Fault) in
            if let first = left.int(frame), let second = right.int(frame) { return R.holds(first, second) }
            let first = try left.get(&frame)
            let second = try right.get(&frame)
            if case .int(let first) = first, case .int(let second) = second { return R.holds(first, second) }
            return try compare(type, first, second, &frame, fallback)
        }
    }

    @inline(never)
    private static func compare<R: Relation>(
        _ type: R.Type,
        _ left: CELValue,
        _ right: CELValue,
        _ frame: inout Frame,
        _ fallback: Fallback
    ) throws(Fault) -> Bool {
        if R.isEquality {
            do throws(Fault) { return R.holds(try frame.equal(left, right) ? .same : .none) } catch {
                throw error.located(fallback.offset)
            }
        }
        if case .double(let left) = left, case .double(let right) = right { return R.holds(left, right) }
        try frame.charge(min(left.size, right.size) / 10, at: fallback.offset)
        guard let order = left.order(with: right) else {
            throw Fault.noOverload(Checker.readable(fallback.name), [left, right]).located(fallback.offset)
        }
        return R.holds(order)
    }

    // MARK: - Arithmetic

    private func combine<A: Arithmetic>(
        _ operation: A.Type,
        _ arguments: [Int],
        _ type: CELType,
        _ fallback: Fallback
    ) -> Code {
        switch operand(arguments[0]) {
        case .slot(let left): combine(operation, left, arguments[1], type, fallback)
        case .local(let left): combine(operation, left, arguments[1], type, fallback)
        case .run(let left): combine(operation, left, arguments[1], type, fallback)
        case .int(let left):
            combine(operation, ValueRun { _ throws(Fault) in .int(left.value) }, arguments[1], type, fallback)
        }
    }

    private func combine<A: Arithmetic, L: ValueSource>(
        _ operation: A.Type,
        _ left: L,
        _ second: Int,
        _ type: CELType,
        _ fallback: Fallback
    ) -> Code {
        switch operand(second) {
        case .slot(let right): Compiler.combine(operation, left, right, type, fallback)
        case .local(let right): Compiler.combine(operation, left, right, type, fallback)
        case .int(let right): Compiler.combine(operation, left, right, type, fallback)
        case .run(let right): Compiler.combine(operation, left, right, type, fallback)
        }
    }

    /// Compiles an operator without boxing, if its result can only be an int.
    private static func combine<A: Arithmetic, L: ValueSource, R: ValueSource>(
        _ operation: A.Type,
        _ left: L,
        _ right: R,
        _ type: CELType,
        _ fallback: Fallback
    ) -> Code {
        if type == .int {
            return .int { frame throws(Fault) in
                if let first = left.int(frame), let second = right.int(frame) {
                    let (value, overflow) = A.apply(first, second)
                    if !overflow { return value }
                }
                let first = try left.get(&frame)
                let second = try right.get(&frame)
                let value = try combine(operation, first, second, &frame, fallback)
                if case .int(let value) = value { return value }
                throw wrongType("int", value, at: fallback.offset)
            }
        }
        return .value { frame throws(Fault) in
            if let first = left.int(frame), let second = right.int(frame) {
                let (value, overflow) = A.apply(first, second)
                if !overflow { return .int(value) }
            }
            let first = try left.get(&frame)
            let second = try right.get(&frame)
            return try combine(operation, first, second, &frame, fallback)
        }
    }

    @inline(never)
    private static func combine<A: Arithmetic>(
        _ operation: A.Type,
        _ left: CELValue,
        _ right: CELValue,
        _ frame: inout Frame,
        _ fallback: Fallback
    ) throws(Fault) -> CELValue {
        if case .int(let left) = left, case .int(let right) = right {
            let (value, overflow) = A.apply(left, right)
            if !overflow { return .int(value) }
        } else if case .double(let left) = left, case .double(let right) = right, let value = A.apply(left, right) {
            return .double(value)
        }
        // The overloads report a failure; all of them are searched.
        try frame.charge(dispatchCost, at: fallback.offset)
        let values = [left, right]
        for overload in fallback.overloads where overload.accepts(values) {
            return try invoke(overload, values, &frame, at: fallback.offset)
        }
        throw Fault.noOverload(Checker.readable(fallback.name), values).located(fallback.offset)
    }
}
