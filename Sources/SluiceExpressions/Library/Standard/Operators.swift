extension Library {
    /// Adds arithmetic, comparisons, `!`, `==`, `in`, and `size` over values of any type.
    mutating func addOperators() {
        let element = CELType.parameter("A")
        function("!_", [.bool], .bool) { values, _ throws(Fault) in
            guard case .bool(let value) = values[0] else { throw .noOverload("!", values) }
            return .bool(!value)
        }
        for name in ["_==_", "_!=_"] {
            let wanted = name == "_==_"
            function(name, [element, element], .bool) { values, frame throws(Fault) in
                .bool(try frame.equal(values[0], values[1]) == wanted)
            }
        }
        addOrder("_<_") { $0 == .before }
        addOrder("_<=_") { $0 == .before || $0 == .same }
        addOrder("_>_") { $0 == .after }
        addOrder("_>=_") { $0 == .after || $0 == .same }
        function("_in_", [element, .list(element)], .bool) { values, frame throws(Fault) in
            .bool(try Library.contains(try values.list(1), values[0], &frame))
        }
        function("_in_", [element, .map(element, .parameter("B"))], .bool) { values, frame throws(Fault) in
            guard case .map(let map) = values[1] else { throw .noOverload("in", values) }
            try frame.chargeLookup(values[0])
            return .bool(map[values[0]] != nil)
        }
        function("-_", [.int], .int) { values, _ throws(Fault) in
            let (value, overflow) = Int64(0).subtractingReportingOverflow(try values.int(0))
            if overflow { throw .overflow("-") }
            return .int(value)
        }
        function("-_", [.double], .double) { values, _ throws(Fault) in .double(-(try values.double(0))) }
        addArithmetic()
        addJoining()
    }

    private mutating func addOrder(_ name: String, _ test: @escaping @Sendable (CELValue.Order) -> Bool) {
        let numbers: [CELType] = [.int, .uint, .double]
        var pairs: [(CELType, CELType)] = [
            (.bool, .bool), (.string, .string), (.bytes, .bytes), (.duration, .duration), (.timestamp, .timestamp),
        ]
        for left in numbers { for right in numbers { pairs.append((left, right)) } }
        for (left, right) in pairs {
            function(name, [left, right], .bool, cost: left == .string || left == .bytes ? .linear : .fixed(0)) {
                values,
                _ throws(Fault) in
                guard let order = values[0].order(with: values[1]) else {
                    throw .noOverload(Checker.readable(name), values)
                }
                return .bool(test(order))
            }
        }
    }

    private mutating func addArithmetic() {
        for name in ["_+_", "_-_", "_*_", "_/_", "_%_"] {
            let symbol = Checker.readable(name)
            function(name, [.int, .int], .int) { values, _ throws(Fault) in
                .int(try Library.whole(symbol, try values.int(0), try values.int(1)))
            }
            function(name, [.uint, .uint], .uint) { values, _ throws(Fault) in
                .uint(try Library.whole(symbol, try values.uint(0), try values.uint(1)))
            }
            guard symbol != "%" else { continue }
            function(name, [.double, .double], .double) { values, _ throws(Fault) in
                .double(Library.real(symbol, try values.double(0), try values.double(1)))
            }
        }
    }

    static func real(_ symbol: String, _ left: Double, _ right: Double) -> Double {
        switch symbol {
        case "+": left + right
        case "-": left - right
        case "*": left * right
        default: left / right
        }
    }

    private static func whole<T: FixedWidthInteger>(_ symbol: String, _ left: T, _ right: T) throws(Fault) -> T {
        let result: (partialValue: T, overflow: Bool)
        switch symbol {
        case "+": result = left.addingReportingOverflow(right)
        case "-": result = left.subtractingReportingOverflow(right)
        case "*": result = left.multipliedReportingOverflow(by: right)
        case "/":
            if right == 0 { throw Fault(.divisionByZero, "division by zero") }
            result = left.dividedReportingOverflow(by: right)
        default:
            if right == 0 { throw Fault(.divisionByZero, "modulus by zero") }
            result = left.remainderReportingOverflow(dividingBy: right)
        }
        if result.overflow { throw .overflow(symbol) }
        return result.partialValue
    }

    /// Adds `+` for concatenation, and the arithmetic of times.
    private mutating func addJoining() {
        let element = CELType.parameter("A")
        function("_+_", [.string, .string], .string) { values, frame throws(Fault) in
            let (left, right) = (try values.string(0), try values.string(1))
            try frame.make(left.utf8.count + right.utf8.count)
            return .string(left + right)
        }
        function("_+_", [.bytes, .bytes], .bytes) { values, frame throws(Fault) in
            let (left, right) = (try values.bytes(0), try values.bytes(1))
            try frame.make(left.count + right.count)
            return .bytes(left + right)
        }
        function("_+_", [.list(element), .list(element)], .list(element)) { values, frame throws(Fault) in
            let (left, right) = (try values.list(0), try values.list(1))
            try frame.makeList(left.count + right.count)
            return .list(left + right)
        }
        function("_+_", [.timestamp, .duration], .timestamp) { values, _ throws(Fault) in
            try Library.later(try values.timestamp(0), try values.duration(1))
        }
        function("_+_", [.duration, .timestamp], .timestamp) { values, _ throws(Fault) in
            try Library.later(try values.timestamp(1), try values.duration(0))
        }
        function("_-_", [.timestamp, .duration], .timestamp) { values, _ throws(Fault) in
            let (opposite, overflow) = Int64(0).subtractingReportingOverflow(try values.duration(1).nanoseconds)
            if overflow { throw .overflow("-") }
            return try Library.later(try values.timestamp(0), CELDuration(nanoseconds: opposite))
        }
        function("_-_", [.timestamp, .timestamp], .duration) { values, _ throws(Fault) in
            guard let span = try values.timestamp(0).since(try values.timestamp(1)) else {
                throw Fault(.overflow, "the span is out of the range of a duration")
            }
            return .duration(span)
        }
        for name in ["_+_", "_-_"] {
            let symbol = Checker.readable(name)
            function(name, [.duration, .duration], .duration) { values, _ throws(Fault) in
                let (left, right) = (try values.duration(0), try values.duration(1))
                return .duration(
                    CELDuration(nanoseconds: try Library.whole(symbol, left.nanoseconds, right.nanoseconds))
                )
            }
        }
    }

    private static func later(_ time: CELTimestamp, _ span: CELDuration) throws(Fault) -> CELValue {
        guard let result = time.adding(span) else {
            throw Fault(.overflow, "the time is out of the range of a timestamp")
        }
        return .timestamp(result)
    }
}
