#if HTTP
/// The characters that stay unescaped in a query or a form; all others are percent-encoded as their UTF-8 bytes.
///
/// ```swift
/// var encoder = URLEncodedFormEncoder()
/// encoder.allowedCharacters = .unreserved.union("/?")
/// let text = try encoder.text(["path": "a/b c"])  // path=a/b%20c
/// ```
///
/// Only printable ASCII characters are possible, and never `%`, `&`, `=`, `+`, `#`, `"`, `<`, `>`, or the space: these
/// would end a field, have another meaning, or be invalid in an address.
public struct LiteralCharacters: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Makes a set of the characters in a text; characters that can't be literal are left out.
    public init(_ characters: String) {
        for scalar in characters.unicodeScalars where LiteralCharacters.canBeLiteral(scalar) {
            insert(UInt8(scalar.value))
        }
    }

    /// Letters, digits, `-`, `.`, `_` and `~`, which are equal to their escapes everywhere (RFC 3986, 2.3).
    public static let unreserved = LiteralCharacters(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// Returns these characters and those of a text.
    public func union(_ characters: String) -> LiteralCharacters {
        let more = LiteralCharacters(characters)
        var result = self
        result.low |= more.low
        result.high |= more.high
        return result
    }

    /// Returns whether a UTF-8 byte stays unescaped.
    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low & (1 << byte) != 0 : byte < 128 && high & (1 << (byte - 64)) != 0
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte - 64) }
    }

    private static func canBeLiteral(_ scalar: Unicode.Scalar) -> Bool {
        (0x21...0x7E).contains(scalar.value) && !"%&=+#\"<>".unicodeScalars.contains(scalar)
    }
}
#endif
