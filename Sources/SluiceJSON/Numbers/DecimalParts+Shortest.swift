extension DecimalParts {
    /// Finds the shortest decimal that reads back as a finite double, and of several of that length the nearest; its digits
    /// don't end with zeros.
    ///
    /// The algorithm is Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2020): it looks for a multiple of
    /// a power of ten between the halfway points to the neighbors of the double, which products of 64 by 128 bits find.
    init(shortest value: Double) {
        let bits = value.magnitude.bitPattern
        let fraction = bits & (1 << 52 - 1)
        let biased = Int(truncatingIfNeeded: bits >> 52)
        // Below some 10^-292, the table lacks the power of ten.
        guard biased > 52 || bits == 0 else {
            self = value.description.withBytes { DecimalParts($0) }
            dropTrailingZeros()
            return
        }
        isNegative = value.sign == .minus
        let power = biased &- 1075
        let significand = fraction | 1 << 52
        if bits == 0 || power <= 0 && power > -53 && significand & (1 &<< UInt64(-power) &- 1) == 0 {
            (digits, exponent) = (bits == 0 ? 0 : significand &>> UInt64(-power), 0)
        } else {
            (digits, exponent) = Self.shortest(significand, power)
        }
        dropTrailingZeros()
    }

    /// Moves trailing zeros of the digits into the exponent.
    mutating func dropTrailingZeros() {
        guard digits != 0 else { return }
        while digits % 10_000 == 0 {
            digits /= 10_000
            exponent &+= 4
        }
        while digits % 10 == 0 {
            digits /= 10
            exponent &+= 1
        }
    }

    /// Returns the shortest decimal of `significand` × 2^`power`; it may end with zeros.
    @inline(__always)
    private static func shortest(_ significand: UInt64, _ power: Int) -> (digits: UInt64, exponent: Int) {
        // The neighbor below a power of two is nearer than the one above.
        let isPowerOfTwo = significand == 1 << 52
        let four = significand &<< 2
        // The largest power of ten that is not larger than the interval: floors of products with log10(2), and with 3/4 of it.
        let tens = (power &* 1_262_611 &- (isPowerOfTwo ? 524_031 : 0)) >> 22
        let shift = UInt64(truncatingIfNeeded: power &+ (-tens &* 1_741_647) >> 19 &+ 1)
        let factor = Self.powerOfTen(-tens)
        let value = Self.product(factor, four &<< shift)
        // An even significand includes its halfway points.
        let odd = significand & 1
        let lower = Self.product(factor, (four &- (isPowerOfTwo ? 1 : 2)) &<< shift) &+ odd
        let upper = Self.product(factor, (four &+ 2) &<< shift) &- odd
        let candidate = value >> 2
        if candidate >= 10 {
            let shorter = candidate / 10
            let isBelowInside = lower <= 40 &* shorter
            let isAboveInside = 40 &* shorter &+ 40 <= upper
            if isBelowInside != isAboveInside {
                return (shorter &+ (isAboveInside ? 1 : 0), tens &+ 1)
            }
        }
        let isBelowInside = lower <= 4 &* candidate
        let isAboveInside = 4 &* candidate &+ 4 <= upper
        let middle = 4 &* candidate &+ 2
        let isUp =
            isBelowInside != isAboveInside ? isAboveInside : value > middle || value == middle && candidate & 1 != 0
        return (candidate &+ (isUp ? 1 : 0), tens)
    }

    /// Returns the 128 leading bits of 10^`exponent`, rounded up.
    @inline(__always)
    private static func powerOfTen(_ exponent: Int) -> (high: UInt64, low: UInt64) {
        let index = 2 &* (exponent &+ 342)
        // The table rounds the positive powers down; the first 56 of them are exact.
        return (PowersOfFive.words[index], PowersOfFive.words[index &+ 1] &+ (exponent > 55 ? 1 : 0))
    }

    /// Returns the leading 64 bits of a product, with the last bit set if any bit below is.
    @inline(__always)
    private static func product(_ factor: (high: UInt64, low: UInt64), _ value: UInt64) -> UInt64 {
        let low = factor.low.multipliedFullWidth(by: value).high
        let high = factor.high.multipliedFullWidth(by: value)
        let (sum, carry) = high.low.addingReportingOverflow(low)
        return high.high &+ (carry ? 1 : 0) | (sum > 1 ? 1 : 0)
    }
}
