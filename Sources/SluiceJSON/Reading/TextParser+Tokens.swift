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
                try escape()
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

    @inline(never)
    private mutating func escape() throws(Fault) {
        switch p[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            p += 2
        case UInt8(ascii: "u"):
            let first = try hex4()
            if first & 0xFC00 == 0xDC00 { throw loneSurrogate() }
            guard first & 0xFC00 == 0xD800 else {
                p += 6
                return
            }
            guard p[6] == 0x5C, p[7] == UInt8(ascii: "u") else { throw loneSurrogate() }
            let lead = p
            p += 6
            let second = try hex4()
            guard second & 0xFC00 == 0xDC00 else {
                p = lead
                throw loneSurrogate()
            }
            p += 6
        default:
            throw badEscape()
        }
    }

    /// Returns the value of the four hexadecimal digits after `\u` at `p`.
    private func hex4() throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        for index in 2..<6 {
            guard let digit = hexValue(p[index]) else { throw badHex(index) }
            value = value << 4 | UInt32(digit)
        }
        return value
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
