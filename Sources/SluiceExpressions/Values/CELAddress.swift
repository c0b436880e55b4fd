/// An IP address of version 4 or 6, without a zone.
///
/// ```swift
/// let address = CELAddress("2001:DB8::1")
/// print(address?.description ?? "")   // 2001:db8::1
/// ```
///
/// An address of version 4 that is written as one of version 6 (`::ffff:c0a8:1`) equals the address of version 4.
public struct CELAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 4 or 16 bytes, the most significant first.
    public let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses dotted decimals or hexadecimal groups; nil for anything else, including zones and IPv4 written inside
    /// IPv6.
    public init?(_ text: String) {
        // The length of the longest address; longer text isn't parsed.
        guard text.utf8.count <= 39 else { return nil }
        guard let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.version6(text) : Self.version4(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// The four bytes of an address of version 4, however it is written; otherwise all bytes.
    private var unmapped: ArraySlice<UInt8> {
        let isMapped =
            bytes.count == 16 && bytes[10] == 0xFF && bytes[11] == 0xFF && bytes.prefix(10).allSatisfy { $0 == 0 }
        return isMapped ? bytes[12...] : bytes[...]
    }

    /// Returns whether both are the same address.
    public static func == (left: CELAddress, right: CELAddress) -> Bool {
        left.unmapped.elementsEqual(right.unmapped)
    }

    /// Hashes the address; equal addresses have equal hashes.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(unmapped)) }

    /// The version: 4 or 6.
    public var family: Int { bytes.count == 4 ? 4 : 6 }

    private static func version4(_ text: String) -> [UInt8]? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy({ $0 >= 48 && $0 <= 57 }),
                part.count == 1 || part.first != 48, let byte = UInt8(String(Substring(part)))
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func version6(_ text: String) -> [UInt8]? {
        var halves: [[UInt8]] = []
        var rest = Substring(text)
        var pieces: [Substring] = []
        if let gap = rest.range(ofAdjacentColons: ()) {
            pieces = [rest[..<gap.lowerBound], rest[gap.upperBound...]]
        } else {
            pieces = [rest]
        }
        rest = ""
        for piece in pieces {
            guard let groups = groups(piece) else { return nil }
            halves.append(groups)
        }
        if halves.count == 1 { return halves[0].count == 16 ? halves[0] : nil }
        let missing = 16 - halves[0].count - halves[1].count
        guard missing >= 2 else { return nil }
        return halves[0] + [UInt8](repeating: 0, count: missing) + halves[1]
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        for group in text.split(separator: ":", omittingEmptySubsequences: false) {
            guard (1...4).contains(group.utf8.count), group.utf8.allSatisfy({ $0 != 43 && $0 != 45 }),
                let value = UInt16(group, radix: 16)
            else { return nil }
            bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
        }
        return bytes
    }

    /// The canonical text (RFC 5952).
    public var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start >= 2, end - start > best.count { best = start..<end }
            start = max(end, start + 1)
        }
        func text(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return best.isEmpty ? text(0..<8) : text(0..<best.lowerBound) + "::" + text(best.upperBound..<8)
    }
}

extension Substring {
    fileprivate func range(ofAdjacentColons: Void) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            let next = self.index(after: index)
            if self[index] == ":", next < endIndex, self[next] == ":" { return index..<self.index(after: next) }
            index = next
        }
        return nil
    }
}
