extension Parser {
    /// Parses the number after a minus sign as a negative literal.
    mutating func negativeNumber() throws(SyntaxFault) -> CELValue? {
        let value: CELValue
        switch token.kind {
        case .int(let text): value = .int(try int(text, isNegative: true))
        case .double(let text): value = .double(-(try double(text)))
        default: return nil
        }
        try advance()
        return value
    }

    private func int(_ text: String, isNegative: Bool) throws(SyntaxFault) -> Int64 {
        let isHex = text.utf8.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let digits = (isNegative ? "-" : "") + (isHex ? String(text.dropFirst(2)) : text)
        guard let value = Int64(digits, radix: isHex ? 16 : 10) else {
            throw SyntaxFault(message: "'\(text.shortened(to: 40))' does not fit into 64 bits", offset: token.offset)
        }
        return value
    }

    private func double(_ text: String) throws(SyntaxFault) -> Double {
        guard let value = Double(text), value.isFinite else {
            throw SyntaxFault(message: "'\(text.shortened(to: 40))' is beyond the largest double", offset: token.offset)
        }
        return value
    }

    private func uint(_ text: String) throws(SyntaxFault) -> UInt64 {
        let isHex = text.utf8.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        guard let value = UInt64(isHex ? String(text.dropFirst(2)) : text, radix: isHex ? 16 : 10) else {
            throw SyntaxFault(message: "'\(text.shortened(to: 40))u' does not fit into 64 bits", offset: token.offset)
        }
        return value
    }

    /// Parses a literal, a name, a call, or brackets; parts that don't recurse have functions of their own, so that
    /// nested frames stay small.
    mutating func primary() throws(SyntaxFault) -> Int {
        let offset = token.offset
        switch try opening() {
        case .literal(let index): return index
        case .name: return try named()
        case .parenthesis:
            let inner = try expression()
            try expect(")")
            return inner
        case .list: return try list(offset)
        case .map: return try map(offset)
        }
    }

    private enum Opening { case literal(Int), name, parenthesis, list, map }

    private mutating func opening() throws(SyntaxFault) -> Opening {
        let opening: Opening
        switch token.kind {
        case .symbol("("): opening = .parenthesis
        case .symbol("["): opening = .list
        case .symbol("{"): opening = .map
        case .symbol("."): return .name
        default:
            guard let literal = try literal() else { return .name }
            opening = .literal(try add(.literal(literal), at: token.offset))
        }
        try advance()
        return opening
    }

    /// Returns the value of the literal here, or nil for a name.
    private func literal() throws(SyntaxFault) -> CELValue? {
        switch token.kind {
        case .int(let text): return .int(try int(text, isNegative: false))
        case .uint(let text): return .uint(try uint(text))
        case .double(let text): return .double(try double(text))
        case .string(let text): return .string(text)
        case .bytes(let bytes): return .bytes(bytes)
        case .identifier("true"): return .bool(true)
        case .identifier("false"): return .bool(false)
        case .identifier("null"): return .null
        case .identifier: return nil
        default: throw unexpected("a value")
        }
    }

    private static let reserved: Set<String> = [
        "as", "break", "const", "continue", "else", "for", "function", "if", "import", "in", "let", "loop", "package",
        "namespace", "return", "var", "void", "while",
    ]

    private mutating func named() throws(SyntaxFault) -> Int {
        let offset = token.offset
        let (name, isAbsolute) = try name()
        guard try take("(") else { return try add(.identifier(name, isAbsolute: isAbsolute), at: offset) }
        let arguments = try arguments()
        return try addCall(isAbsolute ? "." + name : name, arguments, offset)
    }

    private mutating func addCall(_ name: String, _ arguments: [Int], _ offset: Int) throws(SyntaxFault) -> Int {
        try add(.call(target: nil, name: name, arguments: arguments), at: offset, below: arguments)
    }

    private mutating func name() throws(SyntaxFault) -> (String, isAbsolute: Bool) {
        let isAbsolute = try take(".")
        guard case .identifier(let name) = token.kind else { throw unexpected("a name") }
        guard !Parser.reserved.contains(name), !["true", "false", "null"].contains(name) else {
            throw SyntaxFault(
                message: "'\(name)' is a reserved word",
                offset: token.offset,
                hint: "use another name"
            )
        }
        try advance()
        return (name, isAbsolute)
    }

    private mutating func arguments() throws(SyntaxFault) -> [Int] {
        var arguments: [Int] = []
        if try take(")") { return arguments }
        repeat { arguments.append(try expression()) } while try take(",")
        try expect(")")
        return arguments
    }

    private mutating func list(_ offset: Int) throws(SyntaxFault) -> Int {
        var elements: [SyntaxElement] = []
        while !isAt("]") {
            let isOptional = try take("?")
            elements.append(SyntaxElement(value: try expression(), isOptional: isOptional))
            guard try take(",") else { break }
        }
        try expect("]")
        return try add(.list(elements), at: offset, below: elements.map(\.value))
    }

    private mutating func map(_ offset: Int) throws(SyntaxFault) -> Int {
        var entries: [SyntaxEntry] = []
        while !isAt("}") {
            let isOptional = try take("?")
            let key = try expression()
            try expect(":")
            entries.append(SyntaxEntry(key: key, value: try expression(), isOptional: isOptional))
            guard try take(",") else { break }
        }
        try expect("}")
        return try add(.map(entries), at: offset, below: entries.map(\.key) + entries.map(\.value))
    }

    /// Parses the fields, indexes, and calls after an operand.
    mutating func postfix(_ operand: Int) throws(SyntaxFault) -> Int {
        var operand = operand
        while true {
            let offset = token.offset
            if try take(".") {
                operand = try member(of: operand)
            } else if try take("[") {
                let isOptional = try take("?")
                let index = try expression()
                try expect("]")
                operand = try add(
                    .index(operand, index, isOptional: isOptional),
                    at: offset,
                    below: [operand, index]
                )
            } else if isAt("{"), tree.qualifiedName(operand) != nil {
                throw SyntaxFault(
                    message: "messages are not offered",
                    offset: offset,
                    hint: "write a map: {\"name\": value}"
                )
            } else {
                return operand
            }
        }
    }

    private mutating func member(of operand: Int) throws(SyntaxFault) -> Int {
        let isOptional = try take("?")
        let offset = token.offset
        let field: String
        var isQuoted = false
        switch token.kind {
        case .identifier(let name) where !["true", "false", "null", "in"].contains(name): field = name
        case .quoted(let name):
            field = name
            isQuoted = true
        default: throw unexpected("the name of a field")
        }
        try advance()
        if !isOptional, !isQuoted, try take("(") {
            let arguments = try arguments()
            return try add(
                .call(target: operand, name: field, arguments: arguments),
                at: offset,
                below: [operand] + arguments
            )
        }
        return try add(
            .select(operand, field, isOptional: isOptional, isQuoted: isQuoted),
            at: offset,
            below: [operand]
        )
    }
}
