extension Compiler {
    /// Compiles `&&` and `||`: a deciding operand on either side overrides errors of the others.
    func logic(_ deciding: Bool, _ operands: [Int]) -> Run<Bool> {
        guard operands.count == 2 else { return logic(deciding, many: operands) }
        let run = logic(deciding, bool(operands[0]), bool(operands[1]))
        guard let first = valueTest(operands[0]), let second = valueTest(operands[1]) else { return run }
        // Neither can fail, and their cost is that of their nodes.
        if let first = first as? BitsTest, let second = second as? BitsTest { return logic(deciding, first, second) }
        return switch first {
        case let first as BitsTest: logic(deciding, first, second, run)
        case let first as VariableTest: logic(deciding, first, second, run)
        case let first as FieldTest: logic(deciding, first, second, run)
        case let first as TextFieldTest: logic(deciding, first, second, run)
        default: run
        }
    }

    private func logic(_ deciding: Bool, _ first: BitsTest, _ second: BitsTest) -> Run<Bool> {
        if first.slot == second.slot {
            let (slot, first, second) = (first.slot, first.test, second.test)
            return { frame throws(Fault) in
                let value = Int64(bitPattern: frame.numbers[slot])
                return first.holds(value) == deciding ? deciding : second.holds(value)
            }
        }
        if deciding { return { frame throws(Fault) in first.answer(frame) || second.answer(frame) } }
        return { frame throws(Fault) in first.answer(frame) && second.answer(frame) }
    }

    private func logic(_ deciding: Bool, _ first: @escaping Run<Bool>, _ second: @escaping Run<Bool>) -> Run<Bool> {
        // Not as an array, since closures in an array are called through a thunk.
        { frame throws(Fault) in
            let left: Bool
            do throws(Fault) {
                left = try first(&frame)
            } catch {
                try frame.absorb(error)
                if try second(&frame) == deciding { return deciding }
                throw error
            }
            return left == deciding ? deciding : try second(&frame)
        }
    }

    private func logic(_ deciding: Bool, many operands: [Int]) -> Run<Bool> {
        let operands = operands.map(bool)
        return { frame throws(Fault) in
            var fault: Fault?
            for operand in operands {
                do throws(Fault) {
                    if try operand(&frame) == deciding { return deciding }
                } catch {
                    try frame.absorb(error)
                    if fault == nil { fault = error }
                }
            }
            if let fault { throw fault }
            return !deciding
        }
    }

    func conditional(_ condition: @escaping Run<Bool>, _ first: Int, _ second: Int, _ node: PlanNode) -> Code {
        func choose<T>(_ first: @escaping Run<T>, _ second: @escaping Run<T>) -> Run<T> {
            { frame throws(Fault) in try condition(&frame) ? try first(&frame) : try second(&frame) }
        }
        return switch (code(first), code(second)) {
        case (.int(let first), .int(let second)): .int(choose(first, second))
        case (.double(let first), .double(let second)): .double(choose(first, second))
        case (.bool(let first), .bool(let second)): .bool(choose(first, second))
        case (.string(let first), .string(let second)): .string(choose(first, second))
        case (let first, let second): .value(choose(first.boxed, second.boxed))
        }
    }

    /// Compiles a call: operators over known types as specialized closures, everything else by dispatch on the
    /// arguments.
    func call(_ name: String, _ overloads: [Overload], _ arguments: [Int], _ node: PlanNode) -> Code {
        if let fast = specialized(name, overloads, arguments, node) { return fast }
        return dispatched(name, overloads, arguments, node)
    }

    /// Compiles a call over unknown types. It is apart from ``call(_:_:_:_:)``, whose frames are on small stacks, one for each
    /// level of an expression.
    private func dispatched(_ name: String, _ overloads: [Overload], _ arguments: [Int], _ node: PlanNode) -> Code {
        let offset = node.offset
        if let test = textTest(name, overloads, arguments, at: offset) { return test }
        if arguments.count == 2, let code = dynamic(name, overloads, arguments, node.type, at: offset) {
            guard case .bool(let run) = code, let test = valueTest(name, arguments) else { return code }
            return .bool(testing(test, run))
        }
        let parts = arguments.map(boxed)
        let dispatch: Run<CELValue>
        if overloads.count == 1 {
            let overload = overloads[0]
            dispatch = { frame throws(Fault) in
                let values = try Compiler.evaluate(parts, &frame)
                guard overload.accepts(values) else { throw Fault.noOverload(name, values).located(offset) }
                return try Compiler.invoke(overload, values, &frame, at: offset)
            }
        } else {
            dispatch = { frame throws(Fault) in
                let values = try Compiler.evaluate(parts, &frame)
                for overload in overloads where overload.accepts(values) {
                    return try Compiler.invoke(overload, values, &frame, at: offset)
                }
                throw Fault.noOverload(Checker.readable(name), values).located(offset)
            }
        }
        return .value(dispatch)
    }

    private static func evaluate(_ parts: [Run<CELValue>], _ frame: inout Frame) throws(Fault) -> [CELValue] {
        var values: [CELValue] = []
        values.reserveCapacity(parts.count)
        for part in parts { values.append(try part(&frame)) }
        return values
    }

    static func invoke(
        _ overload: Overload,
        _ values: [CELValue],
        _ frame: inout Frame,
        at offset: Int
    ) throws(Fault) -> CELValue {
        do throws(Fault) { return try overload.call(values, &frame) } catch { throw error.located(offset) }
    }

    func optionalMap(
        _ local: Int,
        _ target: @escaping Run<CELValue>,
        _ body: @escaping Run<CELValue>,
        _ isFlat: Bool,
        at offset: Int
    ) -> Run<CELValue> {
        let location = locals[local]
        return { frame throws(Fault) in
            let value = try target(&frame)
            guard case .optional(let content) = value else { throw wrongType("optional_type", value, at: offset) }
            guard let content else { return .optional(nil) }
            guard frame.bind(content, location) else { throw wrongType("\(location.kind)", content, at: offset) }
            let result = try body(&frame)
            guard isFlat else { return .optional(result) }
            guard case .optional = result else { throw wrongType("optional_type", result, at: offset) }
            return result
        }
    }
}
