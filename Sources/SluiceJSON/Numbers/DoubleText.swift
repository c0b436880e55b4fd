/// The conversion of text to doubles, correctly rounded.
///
/// Three steps: the exact case of Clinger (a mantissa below 2^53 times or divided by a power of ten up to 10^22 is one
/// correctly rounded operation); the algorithm of Eisel and Lemire with the proof of Mushtak and Lemire ("Fast Number
/// Parsing Without Fallback", 2023, https://doi.org/10.1002/spe.3198); and the standard library's own conversion for
/// numbers of more than 19 digits that these cannot decide.
enum DoubleText {
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Returns the double nearest to a number that the parser has accepted; infinity beyond the largest double.
    /// - Complexity: O(*n*) in its length.
    static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double {
        let parts = DecimalParts(text)
        return double(parts) ?? Double(String(decoding: text, as: UTF8.self)) ?? .nan
    }

    /// Returns the double nearest to the parts, or nil if the dropped digits could decide.
    static func double(_ parts: DecimalParts) -> Double? {
        let magnitude: Double
        if !parts.isTruncated, parts.digits < 1 << 53, parts.exponent >= -22, parts.exponent <= 22 {
            let whole = Double(parts.digits)
            magnitude =
                parts.exponent < 0
                ? whole / powersOfTen[-parts.exponent] : whole * powersOfTen[parts.exponent]
        } else {
            magnitude = eiselLemire(parts.digits, parts.exponent)
            if parts.isTruncated, eiselLemire(parts.digits &+ 1, parts.exponent) != magnitude { return nil }
        }
        return parts.isNegative ? -magnitude : magnitude
    }

    /// Returns `digits` × 10^`exponent`, correctly rounded.
    private static func eiselLemire(_ digits: UInt64, _ exponent: Int) -> Double {
        if digits == 0 || exponent < -342 { return 0 }
        if exponent > 308 { return .infinity }
        let shift = digits.leadingZeroBitCount
        let normalized = digits << UInt64(shift)
        let index = 2 * (exponent + 342)
        var (high, low) = normalized.multipliedFullWidth(by: PowersOfFive.words[index])
        if high & 0x1FF == 0x1FF {
            let second = normalized.multipliedFullWidth(by: PowersOfFive.words[index + 1])
            low = low &+ second.high
            if second.high > low { high &+= 1 }
        }
        let upper = Int(high >> 63)
        var mantissa = high >> UInt64(upper + 9)
        var power = ((217_706 * exponent) >> 16) + 63 + upper - shift + 1023
        if power <= 0 {
            guard -power + 1 < 64 else { return 0 }
            mantissa >>= UInt64(-power + 1)
            mantissa = (mantissa + (mantissa & 1)) >> 1
            return Double(bitPattern: mantissa)
        }
        // Halfway between two doubles: only then can the exact product end here.
        if low <= 1, exponent >= -4, exponent <= 23, mantissa & 3 == 1, mantissa << UInt64(upper + 9) == high {
            mantissa &= ~1
        }
        mantissa = (mantissa + (mantissa & 1)) >> 1
        if mantissa >= 2 << 52 {
            mantissa = 1 << 52
            power += 1
        }
        if power >= 0x7FF { return .infinity }
        return Double(bitPattern: UInt64(power) << 52 | mantissa & ~(1 << 52))
    }
}
