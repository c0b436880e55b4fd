extension Lexer {
    /// Returns a string or bytes literal, if one starts here.
    mutating func literal() throws(SyntaxFault) -> Token.Kind? {
        var length = 0
        var isRaw = false
        var isBytes = false
        while length < 2 {
            let letter = peek(length) | 0x20
            if letter == UInt8(ascii: "r"), !isRaw {
                isRaw = true
            } else if letter == UInt8(ascii: "b"), !isBytes {
                isBytes = true
            } else {
                break
            }
            length += 1
        }
        let quote = peek(length)
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let start = position
        position += length
        let isTriple = peek(1) == quote && peek(2) == quote
        position += isTriple ? 3 : 1
        var content: [UInt8] = []
        while true {
            guard position < bytes.count else {
                throw SyntaxFault(message: "the string does not end", offset: start, hint: "close it with its quote")
            }
            let byte = peek()
            if byte == quote, !isTriple || peek(1) == quote && peek(2) == quote {
                position += isTriple ? 3 : 1
                break
            }
            if !isTriple, byte == 10 || byte == 13 {
                throw SyntaxFault(
                    message: "a line ends inside the string",
                    offset: start,
                    hint: "write \\n, or use three quotes"
                )
            }
            if byte == UInt8(ascii: "\\"), !isRaw {
                try escape(isBytes: isBytes, into: &content)
            } else {
                content.append(byte)
                position += 1
            }
        }
        if isBytes { return .bytes(content) }
        return .string(String(decoding: content, as: UTF8.self))
    }

    private mutating func escape(isBytes: Bool, into content: inout [UInt8]) throws(SyntaxFault) {
        let start = position
        let byte = peek(1)
        position += 2
        switch byte {
        case UInt8(ascii: "a"): content.append(7)
        case UInt8(ascii: "b"): content.append(8)
        case UInt8(ascii: "f"): content.append(12)
        case UInt8(ascii: "n"): content.append(10)
        case UInt8(ascii: "r"): content.append(13)
        case UInt8(ascii: "t"): content.append(9)
        case UInt8(ascii: "v"): content.append(11)
        case UInt8(ascii: "\\"), UInt8(ascii: "?"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            content.append(byte)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            append(try code(digits: 2, radix: 16, start), isBytes: isBytes, to: &content)
        case UInt8(ascii: "0")...UInt8(ascii: "3"):
            position -= 1
            append(try code(digits: 3, radix: 8, start), isBytes: isBytes, to: &content)
        case UInt8(ascii: "u") where !isBytes:
            append(try code(digits: 4, radix: 16, start), isBytes: false, to: &content)
        case UInt8(ascii: "U") where !isBytes:
            append(try code(digits: 8, radix: 16, start), isBytes: false, to: &content)
        default:
            throw SyntaxFault(
                message: "no such escape in \(isBytes ? "bytes" : "a string")",
                offset: start,
                hint: "write \\\\ for a backslash, or put r before the quote"
            )
        }
    }

    private mutating func code(digits: Int, radix: UInt32, _ start: Int) throws(SyntaxFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = Lexer.hexDigit(peek()), digit < radix else {
                throw SyntaxFault(message: "this escape needs \(digits) digits", offset: start)
            }
            value = value &* radix &+ digit
            position += 1
        }
        guard Unicode.Scalar(value) != nil else {
            throw SyntaxFault(message: "this escape is not a Unicode code point", offset: start)
        }
        return value
    }

    private func append(_ code: UInt32, isBytes: Bool, to content: inout [UInt8]) {
        if isBytes {
            content.append(UInt8(truncatingIfNeeded: code))
        } else if let scalar = Unicode.Scalar(code) {
            content += Array(String(Character(scalar)).utf8)
        }
    }
}
