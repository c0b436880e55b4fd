/// An IP network: an address and the length of its prefix.
///
/// ```swift
/// let network = CELNetwork("192.168.0.0/24")
/// print(network?.prefixLength ?? 0)   // 24
/// ```
public struct CELNetwork: Sendable, Hashable, CustomStringConvertible {
    /// The address as it was written.
    public let address: CELAddress
    /// The number of bits that all addresses of the network share.
    public let prefixLength: Int

    init(address: CELAddress, prefixLength: Int) {
        self.address = address
        self.prefixLength = prefixLength
    }

    /// Parses an address, `/`, and a length; nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count <= 43 else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = CELAddress(String(parts[0])), parts[1].utf8.count <= 3,
            parts[1].utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let length = Int(parts[1]),
            length <= address.bytes.count * 8, length == 0 || parts[1].first != "0"
        else { return nil }
        self.init(address: address, prefixLength: length)
    }

    /// The network with every bit after its prefix cleared.
    var masked: CELNetwork {
        var bytes = address.bytes
        for index in bytes.indices {
            let kept = min(8, max(0, prefixLength - index * 8))
            bytes[index] &= kept == 0 ? 0 : 0xFF << UInt8(8 - kept)
        }
        return CELNetwork(address: CELAddress(bytes: bytes), prefixLength: prefixLength)
    }

    func contains(_ other: CELAddress) -> Bool {
        other.bytes.count == address.bytes.count
            && CELNetwork(address: other, prefixLength: prefixLength).masked.address == masked.address
    }

    func contains(_ other: CELNetwork) -> Bool {
        other.prefixLength >= prefixLength && contains(other.address)
    }

    /// The address, `/`, and the length.
    public var description: String { "\(address)/\(prefixLength)" }
}
