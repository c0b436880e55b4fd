#if HTTP
/// A keyed hash of texts: SipHash-2-4 with 128 bits (Aumasson and Bernstein, 2012).
///
/// Without the key, a hash reveals nothing about its token, and two tokens with the same hash can't be found.
struct KeyedHash: Sendable, Equatable {
    /// The number of bytes of a key.
    static let keyLength = 16

    private let k0: UInt64
    private let k1: UInt64

    /// Makes a hash with a key; returns `nil` if the key does not have 16 bytes.
    init?(key: [UInt8]) {
        guard key.count == Self.keyLength else { return nil }
        k0 = Self.word(key[0..<8])
        k1 = Self.word(key[8..<16])
    }

    /// Makes a hash with a new, random key.
    init() {
        var random = SystemRandomNumberGenerator()
        (k0, k1) = (random.next(), random.next())
    }

    /// The key.
    var key: [UInt8] { Self.bytes(k0) + Self.bytes(k1) }

    /// Returns 32 hexadecimal digits for texts; `["ab", "c"]` and `["a", "bc"]` differ.
    func text(of texts: [String]) -> String {
        var message: [UInt8] = []
        for text in texts {
            message += Self.bytes(UInt64(text.utf8.count))
            message += text.utf8
        }
        return hash(message).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }

    /// Returns the 16 bytes for a message.
    func hash(_ message: [UInt8]) -> [UInt8] {
        var state = State(k0, k1)
        var index = 0
        while index + 8 <= message.count {
            state.absorb(Self.word(message[index..<index + 8]))
            index += 8
        }
        state.absorb(Self.word(message[index...]) | UInt64(message.count & 0xFF) << 56)
        state.v2 ^= 0xEE
        for _ in 0..<4 { state.round() }
        let first = state.value
        state.v1 ^= 0xDD
        for _ in 0..<4 { state.round() }
        return Self.bytes(first) + Self.bytes(state.value)
    }

    private struct State {
        var v0: UInt64
        var v1: UInt64
        var v2: UInt64
        var v3: UInt64

        init(_ k0: UInt64, _ k1: UInt64) {
            v0 = k0 ^ 0x736f_6d65_7073_6575
            v1 = k1 ^ 0x646f_7261_6e64_6f6d ^ 0xEE
            v2 = k0 ^ 0x6c79_6765_6e65_7261
            v3 = k1 ^ 0x7465_6462_7974_6573
        }

        var value: UInt64 { v0 ^ v1 ^ v2 ^ v3 }

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func round() {
            v0 &+= v1
            v1 = v1 << 13 | v1 >> 51
            v1 ^= v0
            v0 = v0 << 32 | v0 >> 32
            v2 &+= v3
            v3 = v3 << 16 | v3 >> 48
            v3 ^= v2
            v0 &+= v3
            v3 = v3 << 21 | v3 >> 43
            v3 ^= v0
            v2 &+= v1
            v1 = v1 << 17 | v1 >> 47
            v1 ^= v2
            v2 = v2 << 32 | v2 >> 32
        }
    }

    /// Returns the word of up to eight bytes, the least significant first.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
    }
}
#endif
