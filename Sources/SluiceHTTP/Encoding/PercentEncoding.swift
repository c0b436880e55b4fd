/// Percent-encoding (RFC 3986, 2.1), onto the end of a text in the making.
enum PercentEncoding {
    /// Appends the bytes of `text`: literal characters as they are, others as `%` and two digits.
    static func append(_ text: some StringProtocol, to bytes: inout [UInt8], literal: LiteralCharacters) {
        for byte in text.utf8 { append(byte, to: &bytes, isLiteral: literal.contains(byte)) }
    }

    /// Appends one byte.
    static func append(_ byte: UInt8, to bytes: inout [UInt8], isLiteral: Bool) {
        if isLiteral {
            bytes.append(byte)
        } else {
            bytes.append(UInt8(ascii: "%"))
            bytes.append(digit(byte >> 4))
            bytes.append(digit(byte & 15))
        }
    }

    /// Whether a byte is a hexadecimal digit.
    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
