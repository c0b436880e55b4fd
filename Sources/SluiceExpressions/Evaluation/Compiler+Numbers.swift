/// An int operand, which is read without a call where possible.
private enum IntOperand {
    case slot(IntSlot)
    case constant(IntConstant)
    case remainder(IntRemainder)
    case powerRemainder(IntPowerRemainder)
    case run(IntRun)
}

private enum DoubleOperand {
    case slot(DoubleSlot)
    case constant(DoubleConstant)
    case run(DoubleRun)
}

extension Compiler {
    // MARK: - Ints

    func integers(_ name: String, _ arguments: [Int], at offset: Int) -> Code? {
        switch name {
        case "_==_": .bool(integers(Equal.self, arguments))
        case "_!=_": .bool(integers(NotEqual.self, arguments))
        case "_<_": .bool(integers(Less.self, arguments))
        case "_<=_": .bool(integers(LessOrEqual.self, arguments))
        case "_>_": .bool(integers(Greater.self, arguments))
        case "_>=_": .bool(integers(GreaterOrEqual.self, arguments))
        case "_+_": .int(integers(Add.self, arguments, at: offset))
        case "_-_": .int(integers(Subtract.self, arguments, at: offset))
        case "_*_": .int(integers(Multiply.self, arguments, at: offset))
        case "_/_": .int(integers(Divide.self, arguments, at: offset))
        case "_%_": .int(integers(Remainder.self, arguments, at: offset))
        default: nil
        }
    }

    /// Returns the slot of a variable or of a macro's name that is stored as bits.
    func slot(_ index: Int, _ kind: CELSlots.Location.Kind) -> Int? {
        switch plan[index].kind {
        case .variable(let variable) where locations[variable].kind == kind: locations[variable].slot
        case .local(let local) where locals[local].kind == kind: locals[local].slot
        default: nil
        }
    }

    private func intOperand(_ index: Int) -> IntOperand {
        if let slot = slot(index, .int) { return .slot(IntSlot(slot: slot)) }
        switch plan[index].kind {
        case .constant(.int(let value)): return .constant(IntConstant(value: value))
        case .call("_%_", _, let arguments):
            guard arguments.count == 2, let slot = slot(arguments[0], .int),
                case .constant(.int(let divisor)) = plan[arguments[1]].kind, divisor > 0
            else { break }
            if divisor & (divisor - 1) == 0 { return .powerRemainder(IntPowerRemainder(slot: slot, mask: divisor - 1)) }
            if let divisor = IntDivisor(divisor) { return .remainder(IntRemainder(slot: slot, divisor: divisor)) }
        default: break
        }
        return .run(IntRun(run: int(index)))
    }

    private func integers<R: Relation>(_ type: R.Type, _ arguments: [Int]) -> Run<Bool> {
        switch intOperand(arguments[0]) {
        case .slot(let left): integers(type, left, arguments[1])
        case .remainder(let left): integers(type, left, arguments[1])
        case .powerRemainder(let left): integers(type, left, arguments[1])
        case .run(let left): integers(type, left, arguments[1])
        case .constant: integers(type, IntRun(run: int(arguments[0])), arguments[1])
        }
    }

    private func integers<R: Relation, L: Source<Int64>>(_ type: R.Type, _ left: L, _ second: Int) -> Run<Bool> {
        switch intOperand(second) {
        case .slot(let right): Compiler.related(type, left, right)
        case .constant(let right): Compiler.related(type, left, right)
        case .run(let right): Compiler.related(type, left, right)
        case .remainder, .powerRemainder: Compiler.related(type, left, IntRun(run: int(second)))
        }
    }

    private static func related<R: Relation, L: Source, S: Source>(
        _ type: R.Type,
        _ left: L,
        _ right: S
    ) -> Run<Bool> where L.Value == S.Value, L.Value: Comparable {
        { frame throws(Fault) in R.holds(try left.get(&frame), try right.get(&frame)) }
    }

    private func integers<A: Arithmetic>(_ type: A.Type, _ arguments: [Int], at offset: Int) -> Run<Int64> {
        switch intOperand(arguments[0]) {
        case .slot(let left): integers(type, left, arguments[1], at: offset)
        case .run(let left): integers(type, left, arguments[1], at: offset)
        default: integers(type, IntRun(run: int(arguments[0])), arguments[1], at: offset)
        }
    }

    private func integers<A: Arithmetic, L: Source<Int64>>(
        _ type: A.Type,
        _ left: L,
        _ second: Int,
        at offset: Int
    ) -> Run<Int64> {
        switch intOperand(second) {
        case .slot(let right): Compiler.computed(type, left, right, at: offset)
        case .constant(let right): Compiler.computed(type, left, right, at: offset)
        case .run(let right): Compiler.computed(type, left, right, at: offset)
        case .remainder, .powerRemainder: Compiler.computed(type, left, IntRun(run: int(second)), at: offset)
        }
    }

    private static func computed<A: Arithmetic, L: Source<Int64>, R: Source<Int64>>(
        _ type: A.Type,
        _ left: L,
        _ right: R,
        at offset: Int
    ) -> Run<Int64> {
        { frame throws(Fault) in
            let first = try left.get(&frame)
            let second = try right.get(&frame)
            let (value, overflow) = A.apply(first, second)
            if overflow { throw A.fault(second, at: offset) }
            return value
        }
    }

    // MARK: - Uints

    func unsigned(_ name: String, _ arguments: [Int], at offset: Int) -> Code? {
        switch name {
        case "_==_": .bool(unsigned(Equal.self, arguments))
        case "_!=_": .bool(unsigned(NotEqual.self, arguments))
        case "_<_": .bool(unsigned(Less.self, arguments))
        case "_<=_": .bool(unsigned(LessOrEqual.self, arguments))
        case "_>_": .bool(unsigned(Greater.self, arguments))
        case "_>=_": .bool(unsigned(GreaterOrEqual.self, arguments))
        case "_+_": .uint(unsigned(Add.self, arguments, at: offset))
        case "_-_": .uint(unsigned(Subtract.self, arguments, at: offset))
        case "_*_": .uint(unsigned(Multiply.self, arguments, at: offset))
        case "_/_": .uint(unsigned(Divide.self, arguments, at: offset))
        case "_%_": .uint(unsigned(Remainder.self, arguments, at: offset))
        default: nil
        }
    }

    private func unsigned<R: Relation>(_ type: R.Type, _ arguments: [Int]) -> Run<Bool> {
        Compiler.related(type, UintRun(run: uint(arguments[0])), UintRun(run: uint(arguments[1])))
    }

    private func unsigned<A: Arithmetic>(_ type: A.Type, _ arguments: [Int], at offset: Int) -> Run<UInt64> {
        let (left, right) = (uint(arguments[0]), uint(arguments[1]))
        return { frame throws(Fault) in
            let first = try left(&frame)
            let second = try right(&frame)
            let (value, overflow) = A.apply(first, second)
            if overflow { throw A.fault(second, at: offset) }
            return value
        }
    }

    // MARK: - Doubles

    /// Compiles an operator over doubles, and over ints that become doubles.
    func doubles(_ name: String, _ arguments: [Int]) -> Code? {
        switch name {
        case "_==_": .bool(doubles(Equal.self, arguments))
        case "_!=_": .bool(doubles(NotEqual.self, arguments))
        case "_<_": .bool(doubles(Less.self, arguments))
        case "_<=_": .bool(doubles(LessOrEqual.self, arguments))
        case "_>_": .bool(doubles(Greater.self, arguments))
        case "_>=_": .bool(doubles(GreaterOrEqual.self, arguments))
        case "_+_": .double(doubles(Add.self, arguments))
        case "_-_": .double(doubles(Subtract.self, arguments))
        case "_*_": .double(doubles(Multiply.self, arguments))
        case "_/_": .double(doubles(Divide.self, arguments))
        default: nil
        }
    }

    private func doubleOperand(_ index: Int) -> DoubleOperand {
        if let slot = slot(index, .double) { return .slot(DoubleSlot(slot: slot)) }
        switch plan[index].kind {
        case .constant(.double(let value)): return .constant(DoubleConstant(value: value))
        case .constant(.int(let value)): return .constant(DoubleConstant(value: Double(value)))
        default: break
        }
        guard plan[index].type == .int else { return .run(DoubleRun(run: double(index))) }
        let operand = int(index)
        return .run(DoubleRun { frame throws(Fault) in Double(try operand(&frame)) })
    }

    private func doubles<R: Relation>(_ type: R.Type, _ arguments: [Int]) -> Run<Bool> {
        switch doubleOperand(arguments[0]) {
        case .slot(let left): doubles(type, left, arguments[1])
        case .run(let left): doubles(type, left, arguments[1])
        case .constant(let left):
            doubles(type, DoubleRun { _ throws(Fault) in left.value }, arguments[1])
        }
    }

    private func doubles<R: Relation, L: Source<Double>>(_ type: R.Type, _ left: L, _ second: Int) -> Run<Bool> {
        switch doubleOperand(second) {
        case .slot(let right): Compiler.related(type, left, right)
        case .constant(let right): Compiler.related(type, left, right)
        case .run(let right): Compiler.related(type, left, right)
        }
    }

    private func doubles<A: Arithmetic>(_ type: A.Type, _ arguments: [Int]) -> Run<Double> {
        switch doubleOperand(arguments[0]) {
        case .slot(let left): doubles(type, left, arguments[1])
        case .run(let left): doubles(type, left, arguments[1])
        case .constant(let left):
            doubles(type, DoubleRun { _ throws(Fault) in left.value }, arguments[1])
        }
    }

    private func doubles<A: Arithmetic, L: Source<Double>>(_ type: A.Type, _ left: L, _ second: Int) -> Run<Double> {
        switch doubleOperand(second) {
        case .slot(let right): Compiler.computed(type, left, right)
        case .constant(let right): Compiler.computed(type, left, right)
        case .run(let right): Compiler.computed(type, left, right)
        }
    }

    private static func computed<A: Arithmetic, L: Source<Double>, R: Source<Double>>(
        _ type: A.Type,
        _ left: L,
        _ right: R
    ) -> Run<Double> {
        { frame throws(Fault) in A.apply(try left.get(&frame), try right.get(&frame)) ?? .nan }
    }
}
