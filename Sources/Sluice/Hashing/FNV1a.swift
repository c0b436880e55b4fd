/// The hash FNV-1a of 64 bits (Fowler, Noll, and Vo), which is the same in every process: it detects accidental changes
/// and tells texts apart, but gives no protection against attacks.
package struct FNV1a: Sendable {
    /// The offset basis of the hash.
    package static let basis: UInt64 = 0xcbf2_9ce4_8422_2325

    /// The hash of the bytes that were added.
    package private(set) var value: UInt64

    /// Creates a hash of no bytes.
    package init(basis: UInt64 = FNV1a.basis) { value = basis }

    /// Creates the hash of a text in UTF-8.
    package init(_ text: String, basis: UInt64 = FNV1a.basis) {
        self.init(basis: basis)
        add(text)
    }

    /// Adds a byte.
    package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    /// Adds bytes.
    ///
    /// - Complexity: O(*n*) in their number.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var value = value
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        self.value = value
    }

    /// Adds a text in UTF-8.
    ///
    /// - Complexity: O(*n*) in its length.
    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// The sixteen hexadecimal digits of the hash.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
