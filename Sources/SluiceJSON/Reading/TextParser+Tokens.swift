extension TextParser {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Checks the string whose opening quote is at `p`, and appends it to the tape.
    ///
    /// Eight bytes at a time: a byte is of interest if it is a quote, a backslash, below 0x20, or above 0x7F. The bit
    /// tricks are the well-known "has zero byte" ones; a borrow can only mark bytes above a true hit, and only the
    /// lowest mark is used.
    @inline(__always)
    mutating func string(isKey: Bool) throws(Fault) {
        p += 1
        let begin = p
        var escaped = false
        while true {
            let word = UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self))
            let quotes = word ^ (TextParser.ones &* 0x22)
            let slashes = word ^ (TextParser.ones &* 0x5C)
            let low = (word &- TextParser.ones &* 0x20) & ~word
            let quote = (quotes &- TextParser.ones) & ~quotes
            let slash = (slashes &- TextParser.ones) & ~slashes
            let mask = (low | quote | slash | word) & TextParser.highs
            if mask == 0 {
                p += 8
                continue
            }
            p += mask.trailingZeroBitCount / 8
            let byte = p.pointee
            if byte == 0x22 { break }
            if byte == 0x5C {
                escaped = true
                try escapes()
            } else if byte >= 0x80 {
                try multibyte()
            } else {
                throw badControl(begin)
            }
        }
        let length = begin.distance(to: p)
        guard length <= limits.maximumStringLength else { throw stringTooLong(begin) }
        if isKey { noteKey(begin, length, escaped) }
        push(
            Tape.word(
                escaped ? .escapedString : .string,
                offset: UnsafePointer(start).distance(to: begin),
                length: length
            )
        )
        p += 1
    }

    /// Adds a key to the frame's small filter; the exact check follows when the object closes.
    @inline(__always)
    private mutating func noteKey(_ begin: UnsafePointer<UInt8>, _ length: Int, _ escaped: Bool) {
        let word = UInt64(littleEndian: UnsafeRawPointer(begin).loadUnaligned(as: UInt64.self))
        let head = length >= 8 ? word : word & (1 &<< UInt64(truncatingIfNeeded: length &* 8) &- 1)
        let mixed = (head ^ UInt64(truncatingIfNeeded: length) &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        let bit: UInt64 = 1 &<< (mixed &>> 58)
        if frame.seenKeys & bit != 0 || escaped { frame.needsKeyCheck = true }
        frame.seenKeys |= bit
    }

    /// Checks the escapes at `p`, of which there is one at least.
    @inline(never)
    private mutating func escapes() throws(Fault) {
        // A local pointer: through the memory of `self`, each escape would wait for the one before it.
        var at = p
        while at.pointee == 0x5C {
            switch at[1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
                UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                at += 2
            case UInt8(ascii: "u"):
                guard let first = TextParser.hex4(at) else { throw badHex(at) }
                at += 6
                guard first & 0xF800 == 0xD800 else { continue }
                guard first & 0xFC00 == 0xD800, at[0] == 0x5C, at[1] == UInt8(ascii: "u") else {
                    throw loneSurrogate(at - 6)
                }
                guard let second = TextParser.hex4(at) else { throw badHex(at) }
                guard second & 0xFC00 == 0xDC00 else { throw loneSurrogate(at - 6) }
                at += 6
            default:
                p = at
                throw badEscape()
            }
        }
        p = at
    }

    /// Returns the value of the four hexadecimal digits after `\u` at `escape`, or nil if one is missing.
    @inline(__always)
    private static func hex4(_ escape: UnsafePointer<UInt8>) -> UInt32? {
        let digits = UnsafeRawPointer(escape + 2).loadUnaligned(as: UInt32.self)
        return areHexadecimal(digits) ? Unescaping.hex4(escape + 2) : nil
    }

    private mutating func badHex(_ escape: UnsafePointer<UInt8>) -> Fault {
        p = escape
        return badHex((2..<5).first { hexValue(escape[$0]) == nil } ?? 5)
    }

    private mutating func loneSurrogate(_ escape: UnsafePointer<UInt8>) -> Fault {
        p = escape
        return loneSurrogate()
    }

    /// Returns a Boolean value that indicates whether four bytes are hexadecimal digits: each below 0x80, where no sum carries
    /// into the next byte, and from 0 to 9 or, as a small letter, from a to f.
    @inline(__always)
    private static func areHexadecimal(_ bytes: UInt32) -> Bool {
        let ones: UInt32 = 0x0101_0101
        let letters = bytes | ones &* 0x20
        let isDigit = (bytes &+ ones &* (0x80 - 0x30)) & ~(bytes &+ ones &* (0x80 - 0x3A))
        let isLetter = (letters &+ ones &* (0x80 - 0x61)) & ~(letters &+ ones &* (0x80 - 0x67))
        return (isDigit | isLetter) & ~bytes & 0x8080_8080 == 0x8080_8080
    }

    /// Checks a run of bytes above 0x7F: well-formed UTF-8 as in table 3-7 of the Unicode standard.
    @inline(never)
    private mutating func multibyte() throws(Fault) {
        while true {
            let lead = p.pointee
            let second = p[1]
            switch lead {
            case 0x00..<0x80:
                return
            case 0xC2...0xDF:
                guard second & 0xC0 == 0x80 else { throw badUTF8() }
                p += 2
            case 0xE0...0xEF:
                let floor: UInt8 = lead == 0xE0 ? 0xA0 : 0x80
                let ceiling: UInt8 = lead == 0xED ? 0x9F : 0xBF
                guard second >= floor, second <= ceiling, p[2] & 0xC0 == 0x80 else { throw badUTF8() }
                p += 3
            case 0xF0...0xF4:
                let floor: UInt8 = lead == 0xF0 ? 0x90 : 0x80
                let ceiling: UInt8 = lead == 0xF4 ? 0x8F : 0xBF
                guard second >= floor, second <= ceiling, p[2] & 0xC0 == 0x80, p[3] & 0xC0 == 0x80 else {
                    throw badUTF8()
                }
                p += 4
            default:
                throw badUTF8()
            }
        }
    }

    /// Checks the grammar of the number whose digit or minus sign is at `p`, and appends it to the tape.
    @inline(__always)
    mutating func number() throws(Fault) {
        let begin = p
        if p.pointee == UInt8(ascii: "-") { p += 1 }
        if p.pointee == UInt8(ascii: "0") {
            p += 1
            if isDigit(p.pointee) { throw leadingZero() }
        } else {
            try digits(begin)
        }
        var kind = Tape.Kind.integer
        if p.pointee == UInt8(ascii: ".") {
            kind = .real
            p += 1
            try digits(begin)
        }
        if p.pointee | 0x20 == UInt8(ascii: "e") {
            kind = .real
            p += 1
            if p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { p += 1 }
            try digits(begin)
        }
        let length = begin.distance(to: p)
        guard length <= limits.maximumNumberLength else { throw numberTooLong(begin) }
        push(Tape.word(kind, offset: UnsafePointer(start).distance(to: begin), length: length))
    }

    @inline(__always)
    private mutating func digits(_ begin: UnsafePointer<UInt8>) throws(Fault) {
        guard isDigit(p.pointee) else { throw noDigit() }
        repeat { p += 1 } while isDigit(p.pointee)
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
