extension RegularExpressionParser {
    /// Parses an escape, after its backslash.
    mutating func escape() throws(Fault) -> RegularExpressionNode {
        var set = ScalarSet(isFolded: flags.isCaseFolded)
        if try classEscape(into: &set) {
            set.finish()
            return self.set(set)
        }
        position += 1
        guard let scalar = peek() else { throw fault("a backslash at its end") }
        let assertion: RegularExpressionNode.Assertion
        switch scalar {
        case "A": assertion = .textStart
        case "z": assertion = .textEnd
        case "b": assertion = .wordBoundary
        case "B": assertion = .noWordBoundary
        case "C": throw fault("\\C, which is not offered,")
        default: return literal(try escapedScalar())
        }
        position += 1
        return .assertion(assertion)
    }

    /// Returns the code point of an escape, after its backslash.
    mutating func escapedScalar() throws(Fault) -> UInt32 {
        guard let scalar = peek() else { throw fault("a backslash at its end") }
        position += 1
        switch scalar {
        case "a": return 7
        case "f": return 12
        case "n": return 10
        case "r": return 13
        case "t": return 9
        case "v": return 11
        case "x": return try hexadecimal()
        case "0"..."7": return try octal(scalar.value - 48)
        default: break
        }
        guard scalar.isASCII, scalar == "_" || !ScalarSet.isWord(scalar.value) else {
            throw fault("the escape \\\(String(scalar).shown), which is not offered,")
        }
        return scalar.value
    }

    /// Parses up to three octal digits; a single one that is not zero would be a back reference.
    private mutating func octal(_ first: UInt32) throws(Fault) -> UInt32 {
        var value = first
        var count = 1
        while count < 3, let digit = peek()?.value, digit >= 48, digit < 56 {
            value = value * 8 + digit - 48
            position += 1
            count += 1
        }
        if first > 0, count == 1 { throw fault("a back reference, which RE2 does not offer,") }
        return value
    }

    private mutating func hexadecimal() throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        var count = 0
        let isBraced = take("{")
        while let digit = peek().flatMap({ Lexer.hexDigit(UInt8(exactly: $0.value) ?? 0) }), isBraced || count < 2 {
            value = value * 16 + digit
            guard value <= 0x10FFFF else { throw fault("a \\x that is not a code point") }
            position += 1
            count += 1
        }
        guard isBraced ? count > 0 && take("}") : count == 2 else {
            throw fault(isBraced ? "a \\x{…} that does not end" : "a \\x without two digits")
        }
        return value
    }
}
