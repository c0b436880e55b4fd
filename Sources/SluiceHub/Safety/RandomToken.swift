#if Hub
/// Random texts that can't be guessed.
enum RandomToken {
    /// Returns 256 random bits in hexadecimal.
    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(random.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
#endif
