#if SQLite
/// Writes the bytes of an entry of the log.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter size: The number of bytes that will probably be written.
    init(reserving size: Int = 0) { bytes.reserveCapacity(size) }

    /// Writes a number in as few bytes as it needs.
    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a number that may be negative; numbers near 0 are short.
    mutating func write(_ number: Int64) { write(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    mutating func write(_ count: Int) { write(Int64(count)) }

    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            write(UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }
}
#endif
