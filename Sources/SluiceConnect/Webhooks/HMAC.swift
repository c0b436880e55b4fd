#if HTTP
import SluiceHTTP
import SluiceStreams

/// The authentication code HMAC (RFC 2104).
enum HMAC {
    /// Returns the code of a message.
    static func code(of message: [UInt8], key: [UInt8], _ algorithm: WebhookSignature.Algorithm) -> [UInt8] {
        let (hash, size): (([UInt8]) -> [UInt8], Int) =
            switch algorithm {
            case .sha256: (SHA256.hash, 64)
            case .sha512: (SHA512.hash, 128)
            }
        var key = key.count > size ? hash(key) : key
        key += [UInt8](repeating: 0, count: size - key.count)
        return hash(key.map { $0 ^ 0x5C } + hash(key.map { $0 ^ 0x36 } + message))
    }

    /// Returns a Boolean value that indicates whether bytes are equal, in a time that depends on their counts only.
    static func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        var difference: UInt8 = 0
        for index in a.indices { difference |= a[index] ^ b[index] }
        return difference == 0
    }
}
#endif
