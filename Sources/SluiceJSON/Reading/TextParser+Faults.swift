/// An error at a byte of a text, which becomes a ``JSONError`` when the position is known.
struct Fault: Error {
    var code: JSONError.Code
    var offset: Int
    var message: String
    var hint: String?

    init(_ code: JSONError.Code, _ offset: Int, _ message: String, hint: String? = nil) {
        self.code = code
        self.offset = offset
        self.message = message
        self.hint = hint
    }

    /// Returns the error at this fault's place in `bytes`.
    func refusal(in bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
        var error = JSONError(code, message, hint: hint, at: JSONPosition(of: offset, in: bytes))
        error.snippet = SluiceJSON.snippet(around: offset, in: bytes)
        return error
    }
}

/// Returns the part of the line around an offset: at most 30 bytes before it and 40 after it, whole characters.
func snippet(around offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> String? {
    func isBreak(_ index: Int) -> Bool { bytes[index] == 10 || bytes[index] == 13 }
    func isInside(_ index: Int) -> Bool { index < bytes.count && bytes[index] & 0xC0 == 0x80 }
    var start = min(offset, bytes.count)
    while start > 0, offset - start < 30, !isBreak(start - 1) { start -= 1 }
    while isInside(start), start < offset { start += 1 }
    var end = min(offset, bytes.count)
    while end < bytes.count, end - offset < 40, !isBreak(end) { end += 1 }
    while isInside(end), end > offset { end -= 1 }
    return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
}

// The texts of all faults, separate from the parser's hot code.
extension TextParser {
    /// Rejects text that starts like UTF-16 or UTF-32, and skips the byte order mark of UTF-8.
    mutating func checkEncoding() throws(Fault) {
        // A translation has skipped the mark already.
        if origin == nil, start[0] == 0xEF, start[1] == 0xBB, start[2] == 0xBF {
            p += 3
            return
        }
        guard count >= 2 else { return }
        let isMark = start[0] == 0xFE && start[1] == 0xFF || start[0] == 0xFF && start[1] == 0xFE
        if isMark || start[0] == 0 || start[1] == 0 {
            throw Fault(
                .unsupportedEncoding,
                0,
                "the text is not UTF-8 but looks like UTF-16 or UTF-32",
                hint: "convert it to UTF-8"
            )
        }
    }

    /// Returns the line and column of a byte, for a message.
    private func position(of offset: Int) -> JSONPosition {
        origin?.position(of: offset)
            ?? JSONPosition(of: offset, in: UnsafeBufferPointer(start: start, count: count))
    }

    /// A description of the character at `p`, for a message.
    private var found: String {
        guard offset < count else { return "the end of the text" }
        let byte = p.pointee
        if byte == UInt8(ascii: "\"") { return "a string" }
        if byte == UInt8(ascii: "\\") { return "\"\\\"" }
        if byte > 0x20, byte < 0x7F { return "\"\(Character(UnicodeScalar(byte)))\"" }
        let rest = UnsafeBufferPointer(start: p, count: min(4, count - offset))
        if byte >= 0x80, let scalar = String(decoding: rest, as: UTF8.self).unicodeScalars.first, scalar != "\u{FFFD}" {
            return "\"\(scalar)\""
        }
        return "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    private func unexpected(_ message: String, hint: String? = nil) -> Fault {
        if offset >= count {
            return Fault(.unexpectedEnd, count, message, hint: hint)
        }
        return Fault(.unexpectedCharacter, offset, message, hint: hint)
    }

    @inline(never)
    func noValue() -> Fault {
        if offset >= count {
            let isEmpty = tapeCount == 0
            return unexpected(
                isEmpty ? "the text is empty: expected a value" : "the text ends where a value was expected"
            )
        }
        switch p.pointee {
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            let comma = frame.index >= 0 && frame.count > 0
            return unexpected(
                "a value is missing: found \(found)",
                hint: comma ? "remove the comma before it" : nil
            )
        case UInt8(ascii: ","):
            return unexpected("a value is missing: found \",\"", hint: "remove one comma or put a value before it")
        case UInt8(ascii: "'"):
            return unexpected("strings stand in double quotes: found \"'\"")
        case UInt8(ascii: "+"), UInt8(ascii: "."):
            return Fault(
                .invalidNumber,
                offset,
                "a number starts with a digit or a minus sign: found \(found)"
            )
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            return unexpected("expected a value, found \(found)", hint: "JSON has no comments")
        default:
            return unexpected("expected a value, found \(found)", hint: literalHint())
        }
    }

    /// Returns the name of the literal that was probably meant.
    private func literalHint() -> String? {
        var word = ""
        var index = 0
        while index < 9, offset + index < count, (p[index] | 0x20) &- 0x61 < 26 {
            word.unicodeScalars.append(UnicodeScalar(p[index]))
            index += 1
        }
        switch word.lowercased() {
        case "true", "false", "null": return "write \(word.lowercased())"
        case "none", "nil", "undefined": return "write null"
        case "nan", "infinity", "inf": return "JSON has no NaN and no infinities"
        case "": return nil
        default: return "strings stand in double quotes"
        }
    }

    @inline(never)
    func noKey() -> Fault {
        if offset >= count { return unexpected("the text ends where a key was expected") }
        let comma = frame.count > 0
        return unexpected(
            "a key is missing: found \(found) where a string was expected",
            hint: p.pointee == UInt8(ascii: "}") && comma ? "remove the comma before it" : "keys stand in double quotes"
        )
    }

    @inline(never)
    func noColon() -> Fault {
        unexpected("expected \":\" after the key, found \(found)")
    }

    @inline(never)
    func noSeparator() -> Fault {
        let close = frame.isObject ? "}" : "]"
        let what = frame.isObject ? "member" : "element"
        if offset >= count {
            let opener = position(of: Tape.offset(tape[frame.index]))
            return unexpected(
                "the text ends before \"\(close)\"",
                hint: "the \(frame.isObject ? "object" : "array") begins at \(opener)"
            )
        }
        return unexpected("expected \",\" or \"\(close)\" after the \(what), found \(found)")
    }

    @inline(never)
    func trailing() -> Fault {
        Fault(.trailingContent, offset, "expected the end of the text, found \(found)")
    }

    @inline(never)
    func tooDeep() -> Fault {
        Fault(
            .limitExceeded,
            offset,
            "more than \(limits.maximumDepth) levels of nesting",
            hint: "raise maximumDepth in JSONLimits"
        )
    }

    @inline(never)
    func tooManyMembers() -> Fault {
        let what = frame.isObject ? "members in one object" : "elements in one array"
        return Fault(
            .limitExceeded,
            offset,
            "more than \(limits.maximumMemberCount) \(what)",
            hint: "raise maximumMemberCount in JSONLimits"
        )
    }

    @inline(never)
    func stringTooLong(_ begin: UnsafePointer<UInt8>) -> Fault {
        Fault(
            .limitExceeded,
            UnsafePointer(start).distance(to: begin) - 1,
            "a string of more than \(limits.maximumStringLength) bytes",
            hint: "raise maximumStringLength in JSONLimits"
        )
    }

    @inline(never)
    func numberTooLong(_ begin: UnsafePointer<UInt8>) -> Fault {
        Fault(
            .limitExceeded,
            UnsafePointer(start).distance(to: begin),
            "a number of more than \(limits.maximumNumberLength) bytes",
            hint: "raise maximumNumberLength in JSONLimits"
        )
    }

    @inline(never)
    func badControl(_ begin: UnsafePointer<UInt8>) -> Fault {
        if offset >= count {
            let opener = position(of: UnsafePointer(start).distance(to: begin) - 1)
            return Fault(.unexpectedEnd, count, "the text ends inside a string", hint: "the string begins at \(opener)")
        }
        let what = p.pointee == 10 || p.pointee == 13 ? "a line break" : found
        return Fault(.invalidString, offset, "\(what) inside a string", hint: "write it as an escape")
    }

    @inline(never)
    func badEscape() -> Fault {
        if offset + 1 >= count { return Fault(.unexpectedEnd, count, "the text ends inside a string") }
        var after = self
        after.p += 1
        return Fault(.invalidString, offset, "unknown escape: found \(after.found) after a backslash")
    }

    @inline(never)
    func badHex(_ index: Int) -> Fault {
        if offset + index >= count { return Fault(.unexpectedEnd, count, "the text ends inside a string") }
        return Fault(.invalidString, offset, "\"\\u\" needs four hexadecimal digits")
    }

    @inline(never)
    func loneSurrogate() -> Fault {
        if offset + 6 >= count { return Fault(.unexpectedEnd, count, "the text ends inside a string") }
        return Fault(.invalidString, offset, "half of a surrogate pair without the other half: not a character")
    }

    @inline(never)
    func badUTF8() -> Fault {
        Fault(.invalidUTF8, offset, "the bytes here are not UTF-8")
    }

    @inline(never)
    func leadingZero() -> Fault {
        Fault(.invalidNumber, offset, "a number may not begin with 0 and go on", hint: "remove the zero")
    }

    @inline(never)
    func noDigit() -> Fault {
        if offset >= count { return Fault(.unexpectedEnd, count, "the text ends inside a number") }
        return Fault(.invalidNumber, offset, "expected a digit, found \(found)")
    }
}
