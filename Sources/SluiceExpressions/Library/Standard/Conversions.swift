extension Library {
    /// Adds `int`, `uint`, `double`, `string`, `bytes`, `bool`, `dyn`, `type`, and `size`.
    mutating func addConversions() {
        let any = CELType.parameter("A")
        function("dyn", [any], .dyn) { values, _ throws(Fault) in values[0] }
        function("type", [any], .type(any)) { values, _ throws(Fault) in .type(values[0].typeName) }
        for (name, type) in [
            ("bool", CELType.bool), ("int", .int), ("uint", .uint), ("double", .double), ("string", .string),
            ("bytes", .bytes), ("duration", .duration), ("timestamp", .timestamp),
        ] {
            function(name, [type], type) { values, _ throws(Fault) in values[0] }
        }
        addNumbers()
        addTexts()
        addSizes()
    }

    private mutating func addNumbers() {
        function("int", [.uint], .int) { values, _ throws(Fault) in
            guard let value = Int64(exactly: try values.uint(0)) else { throw .overflow("int()") }
            return .int(value)
        }
        function("int", [.double], .int) { values, _ throws(Fault) in
            // The bounds themselves are rejected, as in the specification's test cases, since rounding may have led to
            // them.
            let value = try values.double(0)
            guard value > -0x1p63, value < 0x1p63 else { throw .overflow("int()") }
            return .int(Int64(value))
        }
        function("int", [.string], .int, cost: .linear) { values, _ throws(Fault) in
            guard let value = Int64(try values.string(0)) else { throw Library.unreadable(values, "int") }
            return .int(value)
        }
        function("int", [.timestamp], .int) { values, _ throws(Fault) in .int(try values.timestamp(0).seconds) }
        function("int", [.duration], .int) { values, _ throws(Fault) in
            .int(try values.duration(0).nanoseconds / 1_000_000_000)
        }
        function("uint", [.int], .uint) { values, _ throws(Fault) in
            guard let value = UInt64(exactly: try values.int(0)) else { throw .overflow("uint()") }
            return .uint(value)
        }
        function("uint", [.double], .uint) { values, _ throws(Fault) in
            let value = try values.double(0)
            guard value >= 0, value < 0x1p64 else { throw .overflow("uint()") }
            return .uint(UInt64(value))
        }
        function("uint", [.string], .uint, cost: .linear) { values, _ throws(Fault) in
            guard let value = UInt64(try values.string(0)) else { throw Library.unreadable(values, "uint") }
            return .uint(value)
        }
        function("double", [.int], .double) { values, _ throws(Fault) in .double(Double(try values.int(0))) }
        function("double", [.uint], .double) { values, _ throws(Fault) in .double(Double(try values.uint(0))) }
        function("double", [.string], .double, cost: .linearBeyond(10)) { values, _ throws(Fault) in
            guard let value = Library.double(try values.string(0)) else { throw Library.unreadable(values, "double") }
            return .double(value)
        }
        function("bool", [.string], .bool, cost: .fixed(4)) { values, _ throws(Fault) in
            let text = try values.string(0)
            guard text.utf8.count <= 5 else { throw Library.unreadable(values, "bool") }
            switch text {
            case "1", "t", "T", "true", "TRUE", "True": return true
            case "0", "f", "F", "false", "FALSE", "False": return false
            default: throw Library.unreadable(values, "bool")
            }
        }
    }

    private static func unreadable(_ values: [CELValue], _ type: String) -> Fault {
        guard case .string(let text) = values.first else { return .noOverload(type, values) }
        return Fault(.invalidArgument, "\(text.shortlyQuoted) does not read as \(type)")
    }

    /// Parses decimal digits with an optional fraction and exponent, or the name of a value that isn't finite.
    static func double(_ text: String) -> Double? {
        switch text.utf8.count <= 9 ? text.lowercased() : "" {
        case "nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default:
            guard text.utf8.allSatisfy({ Lexer.isDigit($0) || "+-.eE".utf8.contains($0) }) else { return nil }
            return Double(text)
        }
    }

    private mutating func addTexts() {
        for type in [CELType.int, .uint, .double, .bool, .timestamp, .duration, .address, .network, .bytes] {
            let cost: Overload.Cost =
                switch type {
                case .bytes: .linear
                case .int, .uint, .bool: .fixed(2)
                case .double: .fixed(20)
                default: .fixed(60)
                }
            function("string", [type], .string, cost: cost) { values, _ throws(Fault) in
                .string(try Library.text(values[0]))
            }
        }
        function("bytes", [.string], .bytes, cost: .linear) { values, _ throws(Fault) in
            .bytes(Array(try values.string(0).utf8))
        }
    }

    /// Returns the result of `string(x)`.
    static func text(_ value: CELValue) throws(Fault) -> String {
        switch value {
        case .string(let value): return value
        case .int(let value): return String(value)
        case .uint(let value): return String(value)
        case .bool(let value): return String(value)
        case .double(let value): return Library.text(value)
        case .timestamp(let value): return value.description
        case .duration(let value): return value.description
        case .address(let value): return value.description
        case .network(let value): return value.description
        case .bytes(let value):
            guard let text = String(validating: value, as: UTF8.self) else {
                throw Fault(.invalidArgument, "the bytes are not UTF-8")
            }
            return text
        default: throw .noOverload("string", [value])
        }
    }

    /// Returns the shortest digits that read back as the same double; with an exponent below -4 or from 21.
    static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        if value == 0 { return value.sign == .minus ? "-0" : "0" }
        var digits: [UInt8] = []
        var point = 0
        var exponent = 0
        let parts = value.magnitude.description.split(separator: "e")
        if parts.count == 2 { exponent = Int(parts[1]) ?? 0 }
        for byte in parts[0].utf8 {
            if byte == UInt8(ascii: ".") { point = digits.count } else { digits.append(byte) }
        }
        if !parts[0].utf8.contains(UInt8(ascii: ".")) { point = digits.count }
        let zeros = digits.prefix { $0 == 48 }.count
        digits.removeFirst(min(zeros, digits.count - 1))
        point += exponent - zeros
        while digits.count > 1, digits.last == 48 { digits.removeLast() }
        let text = String(decoding: digits, as: UTF8.self)
        let sign = value < 0 ? "-" : ""
        if point < -3 || point > 21 {
            let scale = point - 1
            let rest = text.dropFirst()
            return sign + text.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e" + (scale < 0 ? "-" : "+")
                + (abs(scale) < 10 ? "0" : "") + String(abs(scale))
        }
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + text }
        if point >= digits.count { return sign + text + String(repeating: "0", count: point - digits.count) }
        return sign + text.prefix(point) + "." + text.dropFirst(point)
    }

    private mutating func addSizes() {
        let (key, value) = (CELType.parameter("A"), CELType.parameter("B"))
        for type in [CELType.string, .bytes, .list(key), .map(key, value)] {
            let body: @Sendable ([CELValue], inout Frame) throws(Fault) -> CELValue = { values, _ throws(Fault) in
                switch values[0] {
                case .string(let text): .int(Int64(text.scalarCount))
                default: .int(Int64(values[0].size))
                }
            }
            let cost = type == .string ? Overload.Cost.linear : .fixed(0)
            function("size", [type], .int, cost: cost, body)
            member("size", [type], .int, cost: cost, body)
        }
    }
}
