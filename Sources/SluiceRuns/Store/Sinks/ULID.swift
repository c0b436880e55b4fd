package import Foundation

/// An identifier of 48 bits of time and 80 random bits, in Crockford's base 32.
package enum ULID {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Returns a new identifier of 26 characters.
    ///
    /// - Parameters:
    ///   - time: The wall-clock time.
    ///   - generator: The source of randomness.
    package static func make(at time: Date, using generator: inout some RandomNumberGenerator) -> String {
        var bytes: [UInt8] = []
        var milliseconds = UInt64(clamping: time.milliseconds)
        for _ in 0..<10 {
            bytes.append(digits[Int(milliseconds & 31)])
            milliseconds >>= 5
        }
        bytes.reverse()
        for _ in 0..<16 { bytes.append(digits[Int.random(in: 0..<32, using: &generator)]) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a new identifier with random bits of the system.
    package static func make(at time: Date) -> String {
        var generator = SystemRandomNumberGenerator()
        return make(at: time, using: &generator)
    }
}
