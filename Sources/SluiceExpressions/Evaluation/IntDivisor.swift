/// A constant divisor above 1: its quotients need a multiplication and no division.
struct IntDivisor: Sendable {
    private let divisor: Int64
    private let factor: UInt64
    private let shift: UInt64

    /// Creates a divisor; nil for 1 and less.
    init?(_ divisor: Int64) {
        guard divisor > 1 else { return nil }
        self.divisor = divisor
        // With a divisor of at most 2^length, the factor is 2^(63 + length) / divisor, rounded up: by less than 2^length
        // divisors, which is too little to reach the next quotient of any dividend up to 2^63.
        let length = Int64.bitWidth - (divisor - 1).leadingZeroBitCount
        let (quotient, remainder) = UInt64(divisor).dividingFullWidth((high: 1 << UInt64(length - 1), low: 0))
        factor = remainder == 0 ? quotient : quotient + 1
        shift = UInt64(length - 1)
    }

    @inline(__always)
    func quotient(_ value: Int64) -> Int64 {
        let magnitude = Int64(bitPattern: factor.multipliedFullWidth(by: value.magnitude).high &>> shift)
        let sign = value >> 63
        return (magnitude ^ sign) &- sign
    }

    @inline(__always)
    func remainder(_ value: Int64) -> Int64 { value &- quotient(value) &* divisor }
}
