#if HTTP
import Foundation

/// The host of an address, in the form in which lists of hosts are compared with it.
struct HostName {
    /// The name in lowercase, without a dot at its end and without brackets.
    let text: String
    /// The bytes of an IP address: 4 or 16; `nil` for a name.
    private let bytes: [UInt8]?

    init(_ host: String) {
        var text = host.lowercased()
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        if text.hasSuffix(".") { text.removeLast() }
        self.text = text
        bytes = Self.bytes(of: text)
    }

    /// A Boolean value that indicates whether it is `localhost`, a name under it, or an address of loopback.
    var isLoopback: Bool {
        if text == "localhost" || text.hasSuffix(".localhost") { return true }
        guard let bytes else { return false }
        let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        if bytes.count == 4 || bytes.starts(with: mapped) { return bytes.suffix(4).first == 127 }
        return bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Returns whether an entry of `NO_PROXY` includes the host and the port.
    func matches(_ entry: String, port: Int) -> Bool {
        var entry = Substring(entry.lowercased()).trimmed
        if entry == "*" { return true }
        if let colon = entry.lastIndex(of: ":"), entry[..<colon].last == "]" || !entry[..<colon].contains(":") {
            guard Int(entry[entry.index(after: colon)...]) == port else { return false }
            entry = entry[..<colon]
        }
        if let slash = entry.firstIndex(of: "/"), let bits = Int(entry[entry.index(after: slash)...]) {
            return isIn(HostName(String(entry[..<slash])), bits)
        }
        let other = HostName(String(entry))
        if let bytes { return bytes == other.bytes }
        if other.text.isEmpty { return false }
        if entry.hasPrefix("*.") { return text.hasSuffix(other.text.dropFirst()) }
        if entry.hasPrefix(".") { return text.hasSuffix(other.text) }
        return text == other.text || text.hasSuffix("." + other.text)
    }

    /// Returns whether a pattern of pins is for the host: the same name, or `*.` and the name without its first part.
    func matches(pattern: String) -> Bool {
        let pattern = HostName(pattern).text
        if pattern.hasPrefix("*.") {
            return text.firstIndex(of: ".").map { text[$0...] == pattern.dropFirst() } ?? false
        }
        return text == pattern
    }

    private func isIn(_ block: HostName, _ bits: Int) -> Bool {
        guard let bytes, let other = block.bytes, bytes.count == other.count, (0...8 * bytes.count).contains(bits)
        else { return false }
        return bytes.indices.allSatisfy { index in
            let count = min(max(bits - 8 * index, 0), 8)
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> count)
            return bytes[index] & mask == other[index] & mask
        }
    }

    /// Returns the bytes of an IP address.
    private static func bytes(of text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
#endif
