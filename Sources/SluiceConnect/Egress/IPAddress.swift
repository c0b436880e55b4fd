#if HTTP
import Foundation

/// An address of the Internet Protocol, of version 4 or 6.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Four bytes, or sixteen.
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads `192.0.2.1` or `2001:db8::1`, and no other forms, such as octal numbers or abbreviated addresses.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        bytes = withUnsafeBytes(of: &six) { Array($0) }
    }

    /// The text of the address, as `192.0.2.1` or `2001:db8::1`.
    package var description: String {
        var buffer = [CChar](repeating: 0, count: 64)
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        let isWritten = bytes.withUnsafeBytes { bytes in
            inet_ntop(family, bytes.baseAddress, &buffer, socklen_t(buffer.count)) != nil
        }
        guard isWritten else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A Boolean value that indicates whether the address is on the public Internet: not of this machine, a private
    /// network, a link, or a multicast group, and not in a range that embeds addresses of version 4 or is reserved (the
    /// registries of RFC 6890).
    package var isPublic: Bool {
        bytes.count == 4
            ? !Self.special.contains { $0.contains(self) }
            : Self.unicast.contains { $0.contains(self) } && !Self.specialUnicast.contains { $0.contains(self) }
    }

    private static let special = ranges([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    ])
    /// The global unicast addresses of version 6. Mapped addresses, NAT64, unique local, and link-local ones are not
    /// among them.
    private static let unicast = ranges(["2000::/3"])
    /// Teredo and other protocols, documentation, 6to4.
    private static let specialUnicast = ranges(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"])

    private static func ranges(_ texts: [String]) -> [IPRange] { texts.compactMap { IPRange($0) } }
}

/// Addresses that begin with the same bits.
package struct IPRange: Sendable, Hashable {
    package let base: IPAddress
    /// The number of bits that they have in common.
    package let length: Int

    private init(base: IPAddress, length: Int) {
        self.base = base
        self.length = length
    }

    /// Reads `10.0.0.0/8`, or one address.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, let base = IPAddress(first), parts.count <= 2 else { return nil }
        let most = base.bytes.count * 8
        guard parts.count == 2 else {
            self.init(base: base, length: most)
            return
        }
        guard parts[1].allSatisfy(\.isASCII), let length = Int(parts[1]), (0...most).contains(length) else {
            return nil
        }
        self.init(base: base, length: length)
    }

    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        var left = length
        for (a, b) in zip(address.bytes, base.bytes) {
            if left <= 0 { return true }
            if (a ^ b) >> max(0, 8 - left) != 0 { return false }
            left -= 8
        }
        return true
    }
}
#endif
