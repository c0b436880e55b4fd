/// A number of the JSON grammar, split into its parts.
///
/// The value is `digits` × 10^`exponent`, where `digits` holds the first 19 significant digits; `isTruncated` indicates
/// that others, not all of them zero, were dropped.
@usableFromInline
struct DecimalParts {
    var digits: UInt64 = 0
    var exponent = 0
    var isNegative = false
    var isTruncated = false

    /// Splits a number that the parser has accepted.
    /// - Complexity: O(*n*) in its length.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        let count = text.count
        if count > 0, text[0] == UInt8(ascii: "-") {
            isNegative = true
            index = 1
        }
        var kept = 0
        var isFraction = false
        while index < count {
            let byte = text[index]
            let digit = byte &- 0x30
            if digit < 10 {
                if kept < 19 {
                    if kept > 0 || digit != 0 {
                        digits = digits &* 10 &+ UInt64(digit)
                        kept += 1
                    }
                    if isFraction { exponent -= 1 }
                } else {
                    if digit != 0 { isTruncated = true }
                    if !isFraction { exponent += 1 }
                }
            } else if byte == UInt8(ascii: ".") {
                isFraction = true
            } else {
                break
            }
            index += 1
        }
        if index < count { exponent += DecimalParts.exponent(text, at: index) }
    }

    /// Returns the exponent whose "e" is at `index`, kept far from overflow: beyond a million every number is zero or
    /// infinite.
    @inline(__always)
    static func exponent(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        var index = index + 1
        var isNegativeExponent = false
        if text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
            isNegativeExponent = text[index] == UInt8(ascii: "-")
            index += 1
        }
        var value = 0
        while index < text.count {
            if value < 100_000_000 { value = value * 10 + Int(text[index] &- 0x30) }
            index += 1
        }
        return isNegativeExponent ? -value : value
    }
}

/// The conversion of text to whole numbers.
enum IntegerText {
    /// Returns the magnitude and sign of digits with an optional minus sign, or nil beyond 64 bits.
    @inline(__always)
    static func magnitude(_ text: UnsafeBufferPointer<UInt8>) -> (magnitude: UInt64, isNegative: Bool)? {
        var index = 0
        var isNegative = false
        if text.count > 0, text[0] == UInt8(ascii: "-") {
            isNegative = true
            index = 1
        }
        let count = text.count - index
        guard count <= 20 else { return nil }
        var value: UInt64 = 0
        if count <= 19 {
            // 19 digits are below 2^64.
            while index < text.count {
                value = value &* 10 &+ UInt64(text[index] &- 0x30)
                index &+= 1
            }
            return (value, isNegative)
        }
        while index < text.count {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(text[index] &- 0x30))
            if overflow || carry { return nil }
            value = sum
            index &+= 1
        }
        return (value, isNegative)
    }

    /// Returns the number as an `Int64`, or nil where it does not fit.
    @inline(__always)
    static func int64(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard let (magnitude, isNegative) = magnitude(text) else { return nil }
        if magnitude <= UInt64(Int64.max) { return isNegative ? -Int64(magnitude) : Int64(magnitude) }
        return isNegative && magnitude == UInt64(Int64.max) + 1 ? Int64.min : nil
    }

    /// Returns the number as a `UInt64`, or nil where it does not fit; -0 is 0.
    @inline(__always)
    static func uint64(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
        guard let (magnitude, isNegative) = magnitude(text) else { return nil }
        return isNegative && magnitude != 0 ? nil : magnitude
    }

    /// Returns the whole number that a text represents (`1.0` and `12e2` are whole), or nil if it isn't whole or
    /// doesn't fit into `T`.
    /// - Complexity: O(*n*) in its length.
    static func whole<T: FixedWidthInteger>(_ text: UnsafeBufferPointer<UInt8>) -> T? {
        guard let (magnitude, isNegative) = wholeNumber(text) else { return nil }
        if !isNegative || magnitude == 0 { return T(exactly: magnitude) }
        guard magnitude <= Int128.max.magnitude + 1 else { return nil }
        return T(exactly: 0 &- Int128(truncatingIfNeeded: magnitude))
    }

    /// Returns the magnitude and sign of the whole number that a text represents, or nil if it isn't whole or exceeds
    /// 128 bits. No digit is lost, however many there are.
    /// - Complexity: O(*n*) in its length.
    static func wholeNumber(_ text: UnsafeBufferPointer<UInt8>) -> (magnitude: UInt128, isNegative: Bool)? {
        var value: UInt128 = 0
        // The zeros since the last nonzero digit, and the digits between that and the decimal point.
        var zeros = 0
        var exponent = 0
        var isFraction = false
        var index = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative { index = 1 }
        while index < text.count {
            let digit = text[index] &- 0x30
            if text[index] == UInt8(ascii: ".") {
                isFraction = true
            } else if digit > 9 {
                break
            } else {
                if isFraction { exponent -= 1 }
                zeros += 1
                if digit != 0 {
                    guard value == 0 || scale(&value, zeros) else { return nil }
                    let (sum, overflow) = value.addingReportingOverflow(UInt128(digit))
                    if overflow { return nil }
                    (value, zeros) = (sum, 0)
                }
            }
            index += 1
        }
        if value == 0 { return (0, isNegative) }
        exponent += zeros
        if index < text.count { exponent += DecimalParts.exponent(text, at: index) }
        guard exponent >= 0, scale(&value, exponent) else { return nil }
        return (value, isNegative)
    }

    /// Multiplies by a power of ten; returns false if the product exceeds 128 bits.
    private static func scale(_ value: inout UInt128, _ exponent: Int) -> Bool {
        guard exponent < 39 else { return false }
        for _ in 0..<exponent {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return false }
            value = product
        }
        return true
    }
}
