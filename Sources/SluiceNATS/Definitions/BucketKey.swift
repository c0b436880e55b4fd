#if NATS
import SluiceRuns

/// The keys of a bucket of definitions.
///
/// An id is one token: ASCII letters, digits, `-`, and `_` are as they are, any other byte is `=` with two hexadecimal
/// digits, and the empty id is `=`.
enum BucketKey {
    /// The pattern of everything that is current: documents, groups, and transactions.
    static let current = "now.>"
    /// The pattern of all past revisions.
    static let past = "past.>"

    /// Returns the key of the newest revision of a document.
    static func document(_ id: String) throws(StoreError) -> String { "now.document.\(try token(id))" }

    /// Returns the key of a past revision of a document.
    static func past(_ id: String, _ number: Int) throws(StoreError) -> String { "past.\(try token(id)).\(number)" }

    /// Returns the pattern of the past revisions of a document.
    static func allPast(_ id: String) throws(StoreError) -> String { "past.\(try token(id)).*" }

    /// Returns the key of a group.
    static func group(_ name: String) throws(StoreError) -> String { "now.group.\(try token(name))" }

    /// Returns the key of the outcome of a transaction.
    static func transaction(_ id: String) -> String { "now.transaction.\(id)" }

    /// Returns an id as one token of a key, or of a subject.
    static func token(_ id: String) throws(StoreError) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in id.key.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        guard bytes.count <= 900 else {
            throw StoreError(
                .unavailable(reason: "the id '\(id.prefix(100))…' is too long for NATS: choose a shorter one")
            )
        }
        return bytes.isEmpty ? "=" : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the id that a token encodes; `nil` for another text.
    static func id(ofToken token: String) -> String? {
        if token == "=" { return "" }
        var bytes: [UInt8] = []
        var rest = Array(token.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
#endif
