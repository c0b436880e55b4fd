extension JSONWriter {
    /// Writes `null`.
    public mutating func null() { literal("null") }

    @usableFromInline
    mutating func bool(_ value: Bool) { value ? literal("true") : literal("false") }

    private mutating func literal(_ text: StaticString) {
        reserve(8)
        comma()
        for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
    }

    @usableFromInline
    mutating func integer(_ value: Int64) {
        reserve(24)
        comma()
        if value < 0 { put(UInt8(ascii: "-")) }
        digits(value.magnitude)
    }

    @usableFromInline
    mutating func integer(_ value: UInt64) {
        reserve(24)
        comma()
        digits(value)
    }

    /// Writes at most 20 decimal digits, for which there is room.
    mutating func digits(_ value: UInt64) {
        if value < 10 { return put(0x30 | UInt8(truncatingIfNeeded: value)) }
        if value <= UInt64(UInt32.max) {
            let length = digitCount(UInt32(truncatingIfNeeded: value))
            digits(UInt32(truncatingIfNeeded: value), endingAt: count &+ length)
            count &+= length
            return
        }
        // Eight digits at a time from the right, so that most of the work is done with 32 bits.
        digits(value / 100_000_000)
        digits(eight: UInt32(truncatingIfNeeded: value % 100_000_000))
    }

    /// Writes the digits of a number of two digits or more, from the right, two at a time.
    @inline(__always)
    private mutating func digits(_ value: UInt32, endingAt end: Int) {
        var rest = value
        var at = end
        while rest >= 100 {
            at &-= 2
            pair(rest % 100, at: at)
            rest /= 100
        }
        if rest >= 10 { pair(rest, at: at &- 2) } else { base[at &- 1] = 0x30 | UInt8(truncatingIfNeeded: rest) }
    }

    /// Writes exactly eight digits, for which there is room.
    @inline(__always)
    mutating func digits(eight value: UInt32) {
        let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
        pair(high / 100, at: count)
        pair(high % 100, at: count &+ 2)
        pair(low / 100, at: count &+ 4)
        pair(low % 100, at: count &+ 6)
        count &+= 8
    }

    @inline(__always)
    private func pair(_ value: UInt32, at index: Int) {
        let text = UnsafeRawPointer(Self.pairs.utf8Start + 2 &* Int(truncatingIfNeeded: value))
        UnsafeMutableRawPointer(base + index).storeBytes(of: text.loadUnaligned(as: UInt16.self), as: UInt16.self)
    }

    /// The numbers from 0 to 99 with two digits each.
    private static var pairs: StaticString {
        """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """
    }

    @inline(__always)
    private func digitCount(_ value: UInt32) -> Int {
        if value < 100_000 {
            return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : value < 10000 ? 4 : 5
        }
        return value < 10_000_000
            ? (value < 1_000_000 ? 6 : 7) : value < 100_000_000 ? 8 : value < 1_000_000_000 ? 9 : 10
    }

    /// Writes bytes that are already JSON, such as a value copied from another text.
    mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
        reserve(bytes.count &+ 1)
        comma()
        append(bytes)
    }

    /// Appends bytes unchanged.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (base + count).update(from: start, count: bytes.count)
        count &+= bytes.count
    }

    @usableFromInline
    mutating func string(_ value: String) {
        value.withBytes { string(utf8: $0) }
    }

    /// Writes a string with quotes around it, and escapes for `"`, `\`, control characters, and, if requested, `/`.
    mutating func string(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        let count = bytes.count
        reserve(count &+ 3)
        comma()
        put(UInt8(ascii: "\""))
        if let start = bytes.baseAddress {
            var run = 0
            var index = 0
            let ones: UInt64 = 0x0101_0101_0101_0101
            let slashMask = escapesSlashes ? ones &* UInt64(UInt8(ascii: "/")) : ones &* 0x22
            while index < count {
                if index &+ 8 <= count {
                    let word = UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self)
                    let quotes = word ^ ones &* 0x22
                    let backslashes = word ^ ones &* 0x5C
                    let slashes = word ^ slashMask
                    let low = (word &- ones &* 0x20) & ~word
                    let hits =
                        low | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
                        | (slashes &- ones) & ~slashes
                    if hits & 0x8080_8080_8080_8080 == 0 {
                        index &+= 8
                        continue
                    }
                }
                let stop = Swift.min(index &+ 8, count)
                while index < stop {
                    let byte = start[index]
                    if byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x2F && escapesSlashes {
                        append(UnsafeBufferPointer(start: start + run, count: index - run))
                        escape(byte)
                        // Room for the rest and the closing quote.
                        reserve(count &- index &+ 2)
                        run = index &+ 1
                    }
                    index &+= 1
                }
            }
            append(UnsafeBufferPointer(start: start + run, count: count - run))
        }
        reserve(1)
        put(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        reserve(6)
        put(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C, 0x2F: put(byte)
        case 8: put(UInt8(ascii: "b"))
        case 9: put(UInt8(ascii: "t"))
        case 10: put(UInt8(ascii: "n"))
        case 12: put(UInt8(ascii: "f"))
        case 13: put(UInt8(ascii: "r"))
        default:
            put(UInt8(ascii: "u"))
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "0"))
            put(0x30 + byte >> 4)
            let low = byte & 15
            put(low < 10 ? 0x30 + low : 0x61 + low - 10)
        }
    }
}
