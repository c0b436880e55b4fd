extension Compiler {
    /// Operators and string tests over operands whose types are known.
    func specialized(_ name: String, _ overloads: [Overload], _ arguments: [Int], _ node: PlanNode) -> Code? {
        let types = arguments.map { plan[$0].type }
        let offset = node.offset
        if name == "!_", types == [.bool] {
            let operand = bool(arguments[0])
            return .bool { frame throws(Fault) in !(try operand(&frame)) }
        }
        if arguments.count == 1, name == "size", types == [.string] {
            let operand = string(arguments[0])
            return .int { frame throws(Fault) in
                let text = try operand(&frame)
                try frame.charge(text.utf8.count / 10)
                return Int64(text.unicodeScalars.count)
            }
        }
        guard arguments.count == 2 else { return nil }
        if name == "matches", types[0] == .string, case .constant(.string(let pattern)) = plan[arguments[1]].kind,
            let expression = try? RegularExpression(pattern)
        {
            let text = string(arguments[0])
            return .bool { frame throws(Fault) in
                var machine = try Library.machine(expression, try text(&frame), &frame, isCapturing: false)
                return machine.match(from: 0) != nil
            }
        }
        switch (types[0], types[1]) {
        case (.int, .int): return integers(name, int(arguments[0]), arguments[1], at: offset)
        case (.double, .double): return doubles(name, double(arguments[0]), double(arguments[1]))
        case (.int, .double), (.double, .int):
            // Arithmetic only where the library has it; the order and equality of the two is the language's own.
            let isArithmetic = ["_+_", "_-_", "_*_", "_/_"].contains(name)
            if isArithmetic, !overloads.contains(where: { $0.parameters == types }) { return nil }
            return doubles(name, promoted(arguments[0]), promoted(arguments[1]))
        case (.string, .string): return strings(name, string(arguments[0]), string(arguments[1]), at: offset)
        case (.bool, .bool):
            guard name == "_==_" || name == "_!=_" else { return nil }
            let (left, right, wanted) = (bool(arguments[0]), bool(arguments[1]), name == "_==_")
            return .bool { frame throws(Fault) in (try left(&frame) == (try right(&frame))) == wanted }
        default: return nil
        }
    }

    private func integers(_ name: String, _ left: @escaping Run<Int64>, _ second: Int, at offset: Int) -> Code? {
        if case .constant(.int(let right)) = plan[second].kind, let code = integers(name, left, right) { return code }
        let right = int(second)
        switch name {
        case "_==_": return .bool { frame throws(Fault) in try left(&frame) == (try right(&frame)) }
        case "_!=_": return .bool { frame throws(Fault) in try left(&frame) != (try right(&frame)) }
        case "_<_": return .bool { frame throws(Fault) in try left(&frame) < (try right(&frame)) }
        case "_<=_": return .bool { frame throws(Fault) in try left(&frame) <= (try right(&frame)) }
        case "_>_": return .bool { frame throws(Fault) in try left(&frame) > (try right(&frame)) }
        case "_>=_": return .bool { frame throws(Fault) in try left(&frame) >= (try right(&frame)) }
        case "_+_":
            return .int { frame throws(Fault) in
                let (value, overflow) = try left(&frame).addingReportingOverflow(try right(&frame))
                if overflow { throw Fault.overflow("+").located(offset) }
                return value
            }
        case "_-_":
            return .int { frame throws(Fault) in
                let (value, overflow) = try left(&frame).subtractingReportingOverflow(try right(&frame))
                if overflow { throw Fault.overflow("-").located(offset) }
                return value
            }
        case "_*_":
            return .int { frame throws(Fault) in
                let (value, overflow) = try left(&frame).multipliedReportingOverflow(by: try right(&frame))
                if overflow { throw Fault.overflow("*").located(offset) }
                return value
            }
        case "_/_":
            return .int { frame throws(Fault) in
                let dividend = try left(&frame)
                let divisor = try right(&frame)
                if divisor == 0 { throw Fault(.divisionByZero, "division by zero", at: offset) }
                let (value, overflow) = dividend.dividedReportingOverflow(by: divisor)
                if overflow { throw Fault.overflow("/").located(offset) }
                return value
            }
        case "_%_":
            return .int { frame throws(Fault) in
                let dividend = try left(&frame)
                let divisor = try right(&frame)
                if divisor == 0 { throw Fault(.divisionByZero, "modulus by zero", at: offset) }
                return divisor == -1 ? 0 : dividend % divisor
            }
        default: return nil
        }
    }

    /// With a constant on the right there is one call less, and a divisor that is known not to be 0 or -1.
    private func integers(_ name: String, _ left: @escaping Run<Int64>, _ right: Int64) -> Code? {
        switch name {
        case "_==_": .bool { frame throws(Fault) in try left(&frame) == right }
        case "_!=_": .bool { frame throws(Fault) in try left(&frame) != right }
        case "_<_": .bool { frame throws(Fault) in try left(&frame) < right }
        case "_<=_": .bool { frame throws(Fault) in try left(&frame) <= right }
        case "_>_": .bool { frame throws(Fault) in try left(&frame) > right }
        case "_>=_": .bool { frame throws(Fault) in try left(&frame) >= right }
        case "_%_" where right == 2: .int { frame throws(Fault) in try left(&frame) % 2 }
        case "_%_" where right > 0: .int { frame throws(Fault) in try left(&frame) % right }
        case "_/_" where right > 0: .int { frame throws(Fault) in try left(&frame) / right }
        default: nil
        }
    }

    /// A double, or an int that becomes one.
    private func promoted(_ index: Int) -> Run<Double> {
        guard plan[index].type == .int else { return double(index) }
        let operand = int(index)
        return { frame throws(Fault) in Double(try operand(&frame)) }
    }

    private func doubles(_ name: String, _ left: @escaping Run<Double>, _ right: @escaping Run<Double>) -> Code? {
        switch name {
        case "_==_": .bool { frame throws(Fault) in try left(&frame) == (try right(&frame)) }
        case "_!=_": .bool { frame throws(Fault) in try left(&frame) != (try right(&frame)) }
        case "_<_": .bool { frame throws(Fault) in try left(&frame) < (try right(&frame)) }
        case "_<=_": .bool { frame throws(Fault) in try left(&frame) <= (try right(&frame)) }
        case "_>_": .bool { frame throws(Fault) in try left(&frame) > (try right(&frame)) }
        case "_>=_": .bool { frame throws(Fault) in try left(&frame) >= (try right(&frame)) }
        case "_+_": .double { frame throws(Fault) in try left(&frame) + (try right(&frame)) }
        case "_-_": .double { frame throws(Fault) in try left(&frame) - (try right(&frame)) }
        case "_*_": .double { frame throws(Fault) in try left(&frame) * (try right(&frame)) }
        case "_/_": .double { frame throws(Fault) in try left(&frame) / (try right(&frame)) }
        default: nil
        }
    }

    private func strings(
        _ name: String,
        _ left: @escaping Run<String>,
        _ right: @escaping Run<String>,
        at offset: Int
    ) -> Code? {
        switch name {
        case "_==_", "_!=_":
            let wanted = name == "_==_"
            return .bool { frame throws(Fault) in
                let first = try left(&frame)
                try frame.charge(first.utf8.count / 10)
                return first.hasSameScalars(as: try right(&frame)) == wanted
            }
        case "_+_":
            return .string { frame throws(Fault) in
                let first = try left(&frame)
                let second = try right(&frame)
                do throws(Fault) { try frame.make(first.utf8.count + second.utf8.count) } catch {
                    throw error.located(offset)
                }
                return first + second
            }
        case "startsWith":
            return .bool { frame throws(Fault) in
                let text = try left(&frame)
                let part = try right(&frame)
                try frame.charge(part.utf8.count / 10)
                return text.utf8.starts(with: part.utf8)
            }
        default: return nil
        }
    }
}
