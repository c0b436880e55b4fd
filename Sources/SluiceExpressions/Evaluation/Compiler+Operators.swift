extension Compiler {
    /// Compiles operators and string tests over operands of known types.
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
                try frame.charge(text.utf8.count / 10, at: offset)
                return Int64(text.scalarCount)
            }
        }
        guard arguments.count == 2 else { return nil }
        if name == "matches", types[0] == .string, case .constant(.string(let pattern)) = plan[arguments[1]].kind,
            case .success(let expression) = patterns[ScalarText(text: pattern)]
        {
            let text = string(arguments[0])
            return .bool { frame throws(Fault) in
                let text = try text(&frame)
                do throws(Fault) {
                    let machine = try PikeMachine(expression, text, &frame, isCapturing: false)
                    return try machine.match(from: 0, &frame) != nil
                } catch {
                    throw error.located(offset)
                }
            }
        }
        switch (types[0], types[1]) {
        case (.int, .int): return integers(name, arguments, at: offset)
        case (.uint, .uint): return unsigned(name, arguments, at: offset)
        case (.double, .double): return doubles(name, arguments)
        case (.int, .double), (.double, .int):
            // Only the arithmetic that the library has; order and equality of the two belong to the language itself.
            let isArithmetic = ["_+_", "_-_", "_*_", "_/_"].contains(name)
            if isArithmetic, !overloads.contains(where: { $0.parameters == types }) { return nil }
            return doubles(name, arguments)
        case (.string, .string):
            if let test = textTest(name, overloads, arguments, at: offset) { return test }
            return strings(name, arguments, at: offset)
        case (.bool, .bool):
            guard name == "_==_" || name == "_!=_" else { return nil }
            let (left, right, wanted) = (bool(arguments[0]), bool(arguments[1]), name == "_==_")
            return .bool { frame throws(Fault) in (try left(&frame) == (try right(&frame))) == wanted }
        default: return nil
        }
    }

    private func strings(_ name: String, _ arguments: [Int], at offset: Int) -> Code? {
        guard ["_==_", "_!=_", "_+_", "startsWith", "endsWith", "contains"].contains(name) else { return nil }
        let (left, right) = (string(arguments[0]), string(arguments[1]))
        switch name {
        case "_==_", "_!=_":
            let wanted = name == "_==_"
            return .bool { frame throws(Fault) in
                let first = try left(&frame)
                let second = try right(&frame)
                guard first.utf8.count == second.utf8.count else { return !wanted }
                try frame.charge(first.utf8.count / 20, at: offset)
                return first.hasSameScalars(as: second) == wanted
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
                try frame.charge(part.utf8.count / 20, at: offset)
                return text.hasScalarPrefix(part)
            }
        case "endsWith":
            return .bool { frame throws(Fault) in
                let text = try left(&frame)
                let part = try right(&frame)
                try frame.charge(part.utf8.count / 20, at: offset)
                return text.hasScalarSuffix(part)
            }
        case "contains":
            return .bool { frame throws(Fault) in
                let text = try left(&frame)
                let part = try right(&frame)
                try frame.charge(1 + (text.utf8.count + part.utf8.count) / 10, at: offset)
                return text.containsScalars(part)
            }
        default: return nil
        }
    }
}
