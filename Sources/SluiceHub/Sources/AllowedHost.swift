#if Hub
/// A host, an address, or a range of addresses that streams of a hub may reach over HTTP.
///
/// ```swift
/// var settings = HubSettings()
/// settings.allowedHosts = [try AllowedHost("example.com"), try AllowedHost("127.0.0.1:9090")]
/// ```
///
/// A name allows that name alone, none below it. What a name leads to has to be on the public Internet, or on the list
/// itself, as an address or a range.
public struct AllowedHost: Sendable, Hashable, CustomStringConvertible {
    private enum Subject: Hashable {
        case name(String)
        case range(IPRange)
    }

    private let subject: Subject
    /// The only port that may be reached; `nil` for all.
    private let port: Int?
    /// The text that the value was read from.
    public let description: String

    /// Reads `example.com`, `example.com:8443`, `192.0.2.1`, `10.0.0.0/8`, `[2001:db8::1]:8080` or `2001:db8::/32`.
    ///
    /// - Throws: ``HubError`` for anything else.
    public init(_ text: String) throws(HubError) {
        description = text
        var (host, port) = (text[...], Substring?.none)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":", host.contains(":") else { throw .notAllowable(text) }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        self.port = port.flatMap { Self.port($0) }
        if port != nil, self.port == nil { throw .notAllowable(text) }
        if let range = IPRange(host) {
            subject = .range(range)
        } else if let name = Egress.name(String(host)), !name.hasSuffix(".") {
            subject = .name(name)
        } else {
            throw .notAllowable(text)
        }
    }

    private static func port(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text).flatMap { (1...65535).contains($0) ? $0 : nil }
    }

    func includes(_ name: String, port: Int) -> Bool {
        (self.port ?? port) == port && subject == .name(name)
    }

    func includes(_ address: IPAddress, port: Int) -> Bool {
        guard (self.port ?? port) == port, case .range(let range) = subject else { return false }
        return range.contains(address)
    }
}
#endif
