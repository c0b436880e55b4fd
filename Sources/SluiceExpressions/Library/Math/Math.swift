extension Library {
    /// Adds the math extension.
    mutating func addMath() {
        addExtremes()
        for (name, rule) in [
            ("ceil", FloatingPointRoundingRule.up), ("floor", .down), ("round", .toNearestOrAwayFromZero),
            ("trunc", .towardZero),
        ] {
            function("math.\(name)", [.double], .double) { values, _ throws(Fault) in
                .double(try values.double(0).rounded(rule))
            }
        }
        function("math.isNaN", [.double], .bool) { values, _ throws(Fault) in .bool(try values.double(0).isNaN) }
        function("math.isInf", [.double], .bool) { values, _ throws(Fault) in .bool(try values.double(0).isInfinite) }
        function("math.isFinite", [.double], .bool) { values, _ throws(Fault) in .bool(try values.double(0).isFinite) }
        function("math.abs", [.int], .int) { values, _ throws(Fault) in
            guard let value = Int64(exactly: try values.int(0).magnitude) else { throw .overflow("math.abs") }
            return .int(value)
        }
        function("math.abs", [.uint], .uint) { values, _ throws(Fault) in values[0] }
        function("math.abs", [.double], .double) { values, _ throws(Fault) in .double(try values.double(0).magnitude) }
        function("math.sign", [.int], .int) { values, _ throws(Fault) in .int(try values.int(0).signum()) }
        function("math.sign", [.uint], .uint) { values, _ throws(Fault) in .uint(try values.uint(0) == 0 ? 0 : 1) }
        function("math.sign", [.double], .double) { values, _ throws(Fault) in
            let value = try values.double(0)
            return .double(value.isNaN ? value : value == 0 ? 0 : value < 0 ? -1 : 1)
        }
        function("math.sqrt", [.double], .double) { values, _ throws(Fault) in
            .double(try values.double(0).squareRoot())
        }
        function("math.sqrt", [.int], .double) { values, _ throws(Fault) in
            .double(Double(try values.int(0)).squareRoot())
        }
        function("math.sqrt", [.uint], .double) { values, _ throws(Fault) in
            .double(Double(try values.uint(0)).squareRoot())
        }
        addBits()
    }

    private mutating func addExtremes() {
        for (name, wanted) in [("math.@max", CELValue.Order.after), ("math.@min", .before)] {
            let numbers: [CELType] = [.int, .uint, .double]
            for type in numbers {
                function(name, [type], type) { values, _ throws(Fault) in values[0] }
                function(name, [.list(type)], type, cost: .linear) { values, _ throws(Fault) in
                    try Library.extreme(try values.list(0), wanted, name)
                }
            }
            for left in numbers {
                for right in numbers {
                    function(name, [left, right], left == right ? left : .dyn) { values, _ throws(Fault) in
                        try Library.extreme(values, wanted, name)
                    }
                }
            }
        }
    }

    private static func extreme(
        _ values: [CELValue],
        _ wanted: CELValue.Order,
        _ name: String
    ) throws(Fault) -> CELValue {
        guard var best = values.first else {
            throw Fault(.invalidArgument, "\(Checker.readable(name)) of an empty list")
        }
        for value in values {
            guard CELType.int.accepts(value) || CELType.uint.accepts(value) || CELType.double.accepts(value) else {
                throw .noOverload(name, [value])
            }
            if value.numericOrder(with: best) == wanted { best = value }
        }
        return best
    }

    private mutating func addBits() {
        let operations: [(String, @Sendable (UInt64, UInt64) -> UInt64)] = [
            ("bitAnd", { $0 & $1 }), ("bitOr", { $0 | $1 }), ("bitXor", { $0 ^ $1 }),
        ]
        for (name, operation) in operations {
            function("math.\(name)", [.int, .int], .int) { values, _ throws(Fault) in
                let (left, right) = (UInt64(bitPattern: try values.int(0)), UInt64(bitPattern: try values.int(1)))
                return .int(Int64(bitPattern: operation(left, right)))
            }
            function("math.\(name)", [.uint, .uint], .uint) { values, _ throws(Fault) in
                .uint(operation(try values.uint(0), try values.uint(1)))
            }
        }
        function("math.bitNot", [.int], .int) { values, _ throws(Fault) in .int(~(try values.int(0))) }
        function("math.bitNot", [.uint], .uint) { values, _ throws(Fault) in .uint(~(try values.uint(0))) }
        for (name, isLeft) in [("math.bitShiftLeft", true), ("math.bitShiftRight", false)] {
            function(name, [.int, .int], .int) { values, _ throws(Fault) in
                let bits = UInt64(bitPattern: try values.int(0))
                return .int(Int64(bitPattern: try Library.shift(bits, try values.int(1), isLeft)))
            }
            function(name, [.uint, .int], .uint) { values, _ throws(Fault) in
                .uint(try Library.shift(try values.uint(0), try values.int(1), isLeft))
            }
        }
    }

    /// Shifts and fills with zeros, also when shifting a negative number to the right.
    private static func shift(_ bits: UInt64, _ count: Int64, _ isLeft: Bool) throws(Fault) -> UInt64 {
        guard count >= 0 else { throw Fault(.invalidArgument, "a shift by \(count): negative") }
        if count > 63 { return 0 }
        return isLeft ? bits << UInt64(count) : bits >> UInt64(count)
    }
}
