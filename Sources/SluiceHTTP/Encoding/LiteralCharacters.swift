/// The characters that a query or a form leaves as they are; all others are percent-encoded as the bytes of their UTF-8.
///
/// ```swift
/// var encoder = URLEncodedFormEncoder()
/// encoder.allowedCharacters = .unreserved.union("/?")
/// let text = try encoder.text(["path": "a/b c"])  // path=a/b%20c
/// ```
///
/// Only what is printable ASCII can be among them, and never `%`, `&`, `=`, `+`, `#`, `"`, `<`, `>` nor the space: these
/// would end a field, mean another character, or be no part of an address.
public struct LiteralCharacters: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The characters of a text; those that cannot be literal are left out.
    public init(_ characters: String) {
        for scalar in characters.unicodeScalars where LiteralCharacters.canBeLiteral(scalar) {
            insert(UInt8(scalar.value))
        }
    }

    /// Letters, digits, `-`, `.`, `_` and `~`, which are equal to their escapes everywhere (RFC 3986, 2.3).
    public static let unreserved = LiteralCharacters(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )

    /// These and the characters of a text.
    public func union(_ characters: String) -> LiteralCharacters {
        let more = LiteralCharacters(characters)
        var result = self
        result.low |= more.low
        result.high |= more.high
        return result
    }

    /// Whether a byte of UTF-8 stays as it is.
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
