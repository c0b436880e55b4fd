/// The tape: one pass over a text leaves one 64-bit word for each scalar and two for each container, in source order.
///
/// ```
/// word 0   kind (4 bits) | offset in the text (30 bits) | length in the text (30 bits)
/// word 1   only of containers: member or element count (32 bits) | index after the last entry (32 bits)
/// ```
///
/// A string's offset and length are those of its content, without the quotes. The members of an object follow its two
/// words as key, value, key, value; keys are strings. A text is therefore at most 1 GiB minus 1 byte long.
@usableFromInline
enum Tape {
    @usableFromInline static let maximumTextLength = (1 << 30) - 1

    /// The kind of an entry. The order matters: everything from `array` on is a container.
    @usableFromInline
    enum Kind: UInt8 {
        case null, `true`, `false`
        /// Digits with an optional minus sign.
        case integer
        /// A number with a fraction or an exponent.
        case real
        /// A string without a backslash: its bytes are its value.
        case string
        /// A string with at least one escape sequence.
        case escapedString
        case array
        case object
        /// An object in which at least one key occurs twice, so that keys have to be looked up from the start.
        case objectWithDuplicates
    }

    @inlinable
    static func word(_ kind: Kind, offset: Int, length: Int) -> UInt64 {
        UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: offset) << 30 | UInt64(truncatingIfNeeded: length)
    }

    static func kind(_ word: UInt64) -> Kind {
        Kind(rawValue: UInt8(truncatingIfNeeded: word >> 60)) ?? .null
    }

    @inlinable
    static func isContainer(_ word: UInt64) -> Bool { word >> 60 >= 7 }

    @inlinable
    static func isObject(_ word: UInt64) -> Bool { word >> 60 >= 8 }

    // The raw values of `Kind`, for code that is inlined into other modules.

    @inlinable
    static func isNull(_ word: UInt64) -> Bool { word >> 60 == 0 }

    @inlinable
    static func isTrue(_ word: UInt64) -> Bool { word >> 60 == 1 }

    @inlinable
    static func isFalse(_ word: UInt64) -> Bool { word >> 60 == 2 }

    @inlinable
    static func isInteger(_ word: UInt64) -> Bool { word >> 60 == 3 }

    static func isReal(_ word: UInt64) -> Bool { word >> 60 == 4 }

    @inlinable
    static func isPlainString(_ word: UInt64) -> Bool { word >> 60 == 5 }

    @inlinable
    static func isArray(_ word: UInt64) -> Bool { word >> 60 == 7 }

    /// Returns a Boolean value that indicates whether this is an object without duplicate keys.
    @inlinable
    static func isPlainObject(_ word: UInt64) -> Bool { word >> 60 == 8 }

    static func hasDuplicates(_ word: UInt64) -> Bool { word >> 60 == 9 }

    @inlinable
    static func isString(_ word: UInt64) -> Bool { word >> 60 == 5 || word >> 60 == 6 }

    @inlinable
    static func offset(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word >> 30 & 0x3FFF_FFFF) }

    @inlinable
    static func length(_ word: UInt64) -> Int { Int(truncatingIfNeeded: word & 0x3FFF_FFFF) }

    @inlinable
    static func extent(count: Int, end: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: count) << 32 | UInt64(UInt32(truncatingIfNeeded: end))
    }

    @inlinable
    static func count(_ extent: UInt64) -> Int { Int(truncatingIfNeeded: extent >> 32) }

    @inlinable
    static func end(_ extent: UInt64) -> Int { Int(truncatingIfNeeded: extent & 0xFFFF_FFFF) }
}
