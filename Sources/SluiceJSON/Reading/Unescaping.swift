/// The conversion of the escapes of a string that `TextParser` has accepted to UTF-8.
enum Unescaping {
    /// Writes the value of `raw` into `target`, which has room for `raw.count` bytes, and returns the number of bytes
    /// written.
    static func copy(_ raw: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let out = target.baseAddress, let start = raw.baseAddress else { return 0 }
        var written = 0
        var index = 0
        while index < raw.count {
            let end = backslash(raw, from: index)
            if end > index {
                (out + written).update(from: start + index, count: end &- index)
                written &+= end &- index
                index = end
            }
            while index < raw.count, raw[index] == UInt8(ascii: "\\") {
                let scalar = escape(raw, &index)
                written &+= encode(scalar, out + written)
            }
        }
        return written
    }

    /// Returns the index of the first backslash from `index` on, or that of the end.
    private static func backslash(_ raw: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let bytes = UnsafeRawBufferPointer(raw)
        var index = index
        while index &+ 8 <= raw.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let slashes = word ^ (ones &* 0x5C)
            let mask = (slashes &- ones) & ~slashes & (ones &* 0x80)
            if mask != 0 { return index &+ mask.trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < raw.count, raw[index] != UInt8(ascii: "\\") { index &+= 1 }
        return index
    }

    /// Returns a Boolean value that indicates whether the value of `raw` has exactly the bytes of `key`.
    static func equals(_ raw: UnsafeBufferPointer<UInt8>, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) { scratch in
            guard let start = scratch.baseAddress else { return false }
            var index = 0
            var position = 0
            while index < raw.count {
                var length = 1
                if raw[index] == UInt8(ascii: "\\") {
                    length = encode(escape(raw, &index), start)
                } else {
                    start[0] = raw[index]
                    index += 1
                }
                for at in 0..<length {
                    guard position < key.count, key[position] == start[at] else { return false }
                    position += 1
                }
            }
            return position == key.count
        }
    }

    /// Reads the escape that starts at `index` and advances `index` past it.
    private static func escape(_ raw: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
        let kind = raw[index + 1]
        index += 2
        switch kind {
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"):
            // The parser has checked that four digits follow, and after a high surrogate the low one.
            guard let digits = raw.baseAddress.map({ $0 + index }) else { return 0 }
            let first = hex4(digits)
            index += 4
            guard first & 0xFC00 == 0xD800 else { return first }
            let second = hex4(digits + 6)
            index += 6
            return 0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF)
        default: return UInt32(kind)
        }
    }

    /// Returns the value of four hexadecimal digits: of each byte the low four bits, and nine more for a letter.
    @inline(__always)
    static func hex4(_ digits: UnsafePointer<UInt8>) -> UInt32 {
        let word = UInt32(bigEndian: UnsafeRawPointer(digits).loadUnaligned(as: UInt32.self))
        let values = (word & 0x0F0F_0F0F) &+ (word &>> 6 & 0x0101_0101) &* 9
        return values &>> 12 & 0xF000 | values &>> 8 & 0xF00 | values &>> 4 & 0xF0 | values & 0xF
    }

    private static func encode(_ scalar: UInt32, _ out: UnsafeMutablePointer<UInt8>) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80:
            out[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case ..<0x800:
            out[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
            out[1] = tail(0)
            return 2
        case ..<0x10000:
            out[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
            out[1] = tail(6)
            out[2] = tail(0)
            return 3
        default:
            out[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
            out[1] = tail(12)
            out[2] = tail(6)
            out[3] = tail(0)
            return 4
        }
    }
}

/// Returns the value of a hexadecimal digit, or nil.
@inline(__always)
func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}
