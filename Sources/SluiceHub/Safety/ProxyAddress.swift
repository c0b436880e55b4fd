#if Hub
import SluiceConnect

/// The address of a proxy, or a range of addresses.
///
/// ```swift
/// var settings = HubSettings()
/// settings.proxies = [try ProxyAddress("127.0.0.1"), try ProxyAddress("10.0.0.0/8")]
/// ```
public struct ProxyAddress: Sendable, Hashable, CustomStringConvertible {
    let range: IPRange
    /// The text of the address or range.
    public let description: String

    /// Reads `192.0.2.1`, `10.0.0.0/8`, `::1`, or `fd00::/8`.
    ///
    /// - Throws: ``HubError/notProxy(_:)`` for anything else.
    public init(_ text: String) throws(HubError) {
        guard let range = IPRange(text) else { throw .notProxy(text) }
        self.range = range
        description = text
    }
}

/// The proxies that a hub believes: only a request from one of their addresses has its `X-Forwarded-For` and
/// `X-Forwarded-Proto` read.
struct Proxies: Sendable {
    private let ranges: [IPRange]
    /// A Boolean value that indicates whether the hub itself speaks https, with everybody.
    let hasTLS: Bool

    init(_ proxies: [ProxyAddress] = [], hasTLS: Bool = false) {
        ranges = proxies.map(\.range)
        self.hasTLS = hasTLS
    }

    /// Returns whether an address is one of the proxies'.
    func includes(_ address: IPAddress) -> Bool {
        // A socket that takes both versions shows 192.0.2.1 as ::ffff:192.0.2.1.
        ranges.contains { $0.contains(address) || $0.contains(address.unmapped) }
    }

    /// Returns the address that a request comes from.
    ///
    /// Each proxy appends the address of its peer, so the list is read from its end: the first address that is not a
    /// proxy's is the client's. The addresses before it are the client's claim.
    ///
    /// - Parameters:
    ///   - peer: the address of the other end of the connection.
    ///   - fields: the values of `X-Forwarded-For`, in order.
    func client(peer: IPAddress?, forwarded fields: [String]) -> IPAddress? {
        guard var client = peer, includes(client) else { return peer }
        for text in fields.joined(separator: ",").split(separator: ",").reversed() {
            guard let address = Self.address(text) else { break }
            client = address
            if !includes(address) { break }
        }
        return client
    }

    /// Reads an address as proxies write it: with spaces around it, and perhaps with brackets and a port.
    private static func address(_ text: Substring) -> IPAddress? {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        if let address = IPAddress(text) { return address }
        if text.first == "[", let end = text.firstIndex(of: "]") { return IPAddress(text[..<end].dropFirst()) }
        guard text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") else { return nil }
        return IPAddress(text[..<colon])
    }
}

extension IPAddress {
    /// The address of version 4 that a mapped address (`::ffff:192.0.2.1`) carries; any other address itself.
    var unmapped: IPAddress {
        guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return self
        }
        return IPAddress(bytes: Array(bytes[12...]))
    }

    /// The address by which one client is counted: an address of version 4, or the first 64 bits of one of version 6,
    /// because a client of version 6 has a whole network of that size.
    var client: IPAddress {
        let address = unmapped
        guard address.bytes.count == 16 else { return address }
        return IPAddress(bytes: Array(address.bytes[..<8]) + [UInt8](repeating: 0, count: 8))
    }
}
#endif
