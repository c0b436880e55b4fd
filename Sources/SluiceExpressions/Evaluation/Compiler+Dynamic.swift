extension Compiler {
    /// Operators over operands whose types are not known: ints first, then what the overloads take.
    func dynamic(_ name: String, _ overloads: [Overload], _ arguments: [Int], at offset: Int) -> Code? {
        switch name {
        case "_<_": .bool(compare(overloads, arguments, at: offset, { $0 < $1 }) { $0 == .before })
        case "_<=_": .bool(compare(overloads, arguments, at: offset, { $0 <= $1 }) { $0 == .before || $0 == .same })
        case "_>_": .bool(compare(overloads, arguments, at: offset, { $0 > $1 }) { $0 == .after })
        case "_>=_": .bool(compare(overloads, arguments, at: offset, { $0 >= $1 }) { $0 == .after || $0 == .same })
        case "_+_": .value(combine(name, overloads, arguments, at: offset) { $0.addingReportingOverflow($1) })
        case "_-_": .value(combine(name, overloads, arguments, at: offset) { $0.subtractingReportingOverflow($1) })
        case "_*_": .value(combine(name, overloads, arguments, at: offset) { $0.multipliedReportingOverflow(by: $1) })
        case "_%_":
            // What fails is left to the overload, which says why.
            .value(combine(name, overloads, arguments, at: offset) { $1 > 0 ? ($0 % $1, false) : (0, true) })
        default: nil
        }
    }

    private func compare(
        _ overloads: [Overload],
        _ arguments: [Int],
        at offset: Int,
        _ ints: @escaping @Sendable (Int64, Int64) -> Bool,
        _ test: @escaping @Sendable (CELValue.Order) -> Bool
    ) -> Run<Bool> {
        let (first, second) = (boxed(arguments[0]), boxed(arguments[1]))
        let name = Checker.readable(overloads.first?.name ?? "")
        return { frame throws(Fault) in
            let left = try first(&frame)
            let right = try second(&frame)
            if case .int(let left) = left, case .int(let right) = right { return ints(left, right) }
            try frame.charge(min(left.size, right.size) / 10)
            guard let order = left.order(with: right) else {
                throw Fault.noOverload(name, [left, right]).located(offset)
            }
            return test(order)
        }
    }

    private func combine(
        _ name: String,
        _ overloads: [Overload],
        _ arguments: [Int],
        at offset: Int,
        _ ints: @escaping @Sendable (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) -> Run<CELValue> {
        let (first, second) = (boxed(arguments[0]), boxed(arguments[1]))
        return { frame throws(Fault) in
            let left = try first(&frame)
            let right = try second(&frame)
            if case .int(let left) = left, case .int(let right) = right {
                let (value, overflow) = ints(left, right)
                if !overflow { return .int(value) }
            }
            let values = [left, right]
            for overload in overloads where overload.accepts(values) {
                return try Compiler.invoke(overload, values, &frame, at: offset)
            }
            throw Fault.noOverload(Checker.readable(name), values).located(offset)
        }
    }
}
