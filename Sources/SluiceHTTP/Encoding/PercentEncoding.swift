#if HTTP
/// Percent-encoding (RFC 3986, 2.1).
package enum PercentEncoding {
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

    /// Returns a text with characters that are invalid in an address percent-encoded; existing escapes stay.
    static func address(_ text: String) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var isFragment = false
        // Brackets occur around an IP address as the host, and nowhere after it.
        let host = text.utf8.firstRange(of: "://".utf8).map {
            text.utf8.distance(from: text.startIndex, to: $0.upperBound)
        }
        let end = source[(host ?? 0)...].firstIndex { "/?#".utf8.contains($0) } ?? source.endIndex
        for (index, byte) in source.enumerated() {
            let isLiteral =
                switch byte {
                case UInt8(ascii: "%"): isEscape(source, at: index)
                case UInt8(ascii: "#"): !isFragment
                case UInt8(ascii: "["), UInt8(ascii: "]"): host != nil && index < end
                default: isReserved(byte) || LiteralCharacters.unreserved.contains(byte)
                }
            if byte == UInt8(ascii: "#") { isFragment = true }
            append(byte, to: &bytes, isLiteral: isLiteral)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether an escape, `%` and two digits, begins at an index.
    static func isEscape(_ bytes: [UInt8], at index: Int) -> Bool {
        bytes[index...].prefix(3).count == 3 && bytes[index] == UInt8(ascii: "%") && value(of: bytes[index + 1]) != nil
            && value(of: bytes[index + 2]) != nil
    }

    /// Returns whether a character is reserved (RFC 3986, 2.2).
    static func isReserved(_ byte: UInt8) -> Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(byte) }

    /// Returns a name or a value of a form (`application/x-www-form-urlencoded`), in which `+` is a space; `nil` if it is not
    /// percent-encoded UTF-8.
    ///
    /// - Complexity: O(*n*), in one pass over the bytes.
    package static func decodedForm(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard text.endIndex - index > 2, let high = value(of: text[index + 1]),
                    let low = value(of: text[index + 2])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            case let byte: bytes.append(byte)
            }
            index += 1
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Returns the value of a hexadecimal digit; `nil` for another byte.
    package static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
#endif
