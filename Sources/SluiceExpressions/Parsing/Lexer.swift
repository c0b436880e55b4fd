/// A lexer that splits a text into tokens, one at a time.
struct Lexer {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func peek(_ distance: Int = 0) -> UInt8 {
        let index = position + distance
        return index < bytes.count ? bytes[index] : 0
    }

    mutating func next() throws(SyntaxFault) -> Token {
        skipBlanks()
        let start = position
        guard position < bytes.count else { return Token(kind: .end, offset: start) }
        let byte = peek()
        if Lexer.isDigit(byte) || byte == UInt8(ascii: ".") && Lexer.isDigit(peek(1)) {
            return Token(kind: try number(), offset: start)
        }
        if let kind = try literal() { return Token(kind: kind, offset: start) }
        if Lexer.isLetter(byte) {
            while Lexer.isLetter(peek()) || Lexer.isDigit(peek()) { position += 1 }
            return Token(kind: .identifier(text(from: start)), offset: start)
        }
        if byte == UInt8(ascii: "`") { return Token(kind: try quoted(), offset: start) }
        for symbol in ["==", "!=", "<=", ">=", "&&", "||"] where bytes[position...].starts(with: symbol.utf8) {
            position += 2
            return Token(kind: .symbol(symbol), offset: start)
        }
        guard "+-*/%<>!?:,.()[]{}=&|".utf8.contains(byte) else {
            let character = String(decoding: bytes[position..<min(bytes.count, position + 8)], as: UTF8.self).prefix(1)
            throw SyntaxFault(message: "'\(String(character).shown)' has no meaning here", offset: start)
        }
        position += 1
        let symbol = text(from: start)
        if symbol == "=" {
            throw SyntaxFault(message: "'=' is not an operator", offset: start, hint: "use == to compare")
        }
        if symbol == "&" || symbol == "|" {
            throw SyntaxFault(message: "'\(symbol)' is not an operator", offset: start, hint: "use \(symbol)\(symbol)")
        }
        return Token(kind: .symbol(symbol), offset: start)
    }

    func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch peek() {
            case 9, 10, 12, 13, 32: position += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                while position < bytes.count, peek() != 10 { position += 1 }
            default: return
            }
        }
    }

    private mutating func number() throws(SyntaxFault) -> Token.Kind {
        let start = position
        if peek() == UInt8(ascii: "0"), peek(1) | 0x20 == UInt8(ascii: "x") {
            position += 2
            guard Lexer.hexDigit(peek()) != nil else {
                throw SyntaxFault(message: "a hexadecimal number needs digits", offset: start)
            }
            while Lexer.hexDigit(peek()) != nil { position += 1 }
            return try whole(start)
        }
        while Lexer.isDigit(peek()) { position += 1 }
        var isDouble = false
        if peek() == UInt8(ascii: "."), Lexer.isDigit(peek(1)) {
            isDouble = true
            position += 1
            while Lexer.isDigit(peek()) { position += 1 }
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            let sign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-") ? 1 : 0
            if Lexer.isDigit(peek(1 + sign)) {
                isDouble = true
                position += 1 + sign
                while Lexer.isDigit(peek()) { position += 1 }
            }
        }
        if isDouble {
            let text = text(from: start)
            try endOfNumber(start)
            return .double(text)
        }
        return try whole(start)
    }

    private mutating func whole(_ start: Int) throws(SyntaxFault) -> Token.Kind {
        let text = text(from: start)
        if peek() | 0x20 == UInt8(ascii: "u") {
            position += 1
            try endOfNumber(start)
            return .uint(text)
        }
        try endOfNumber(start)
        return .int(text)
    }

    private mutating func endOfNumber(_ start: Int) throws(SyntaxFault) {
        guard Lexer.isLetter(peek()) || Lexer.isDigit(peek()) else { return }
        while Lexer.isLetter(peek()) || Lexer.isDigit(peek()) { position += 1 }
        throw SyntaxFault(message: "'\(text(from: start).shortened(to: 40))' is not a number", offset: start)
    }

    private mutating func quoted() throws(SyntaxFault) -> Token.Kind {
        let start = position
        position += 1
        while Lexer.isLetter(peek()) || Lexer.isDigit(peek()) || "-./ ".utf8.contains(peek()) { position += 1 }
        guard peek() == UInt8(ascii: "`"), position > start + 1 else {
            throw SyntaxFault(
                message: "a name in backquotes has letters, digits, '_', '-', '.', '/' and blanks only",
                offset: start
            )
        }
        position += 1
        return .quoted(String(decoding: bytes[(start + 1)..<(position - 1)], as: UTF8.self))
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

    static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= 97 && byte | 0x20 <= 122 || byte == UInt8(ascii: "_")
    }

    static func hexDigit(_ byte: UInt8) -> UInt32? {
        if isDigit(byte) { return UInt32(byte) - 48 }
        let low = byte | 0x20
        return low >= 97 && low <= 102 ? UInt32(low) - 87 : nil
    }
}
