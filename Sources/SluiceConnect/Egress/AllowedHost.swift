#if HTTP
/// A host, an address, or a range of addresses that streams may reach over HTTP.
///
/// ```swift
/// var settings = ConnectSettings()
/// settings.allowedHosts = [try AllowedHost("example.com"), try AllowedHost("127.0.0.1:9090")]
/// ```
///
/// A name allows only itself, and none of its subdomains. The addresses that it resolves to must be on the public Internet,
/// or on the list themselves, as addresses or ranges.
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
    /// - Throws: ``AllowedHostError`` for any other text.
    public init(_ text: String) throws(AllowedHostError) {
        description = text
        var (host, port) = (text[...], Substring?.none)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":", host.contains(":") else { throw AllowedHostError(text) }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            (host, port) = (text[..<colon], text[text.index(after: colon)...])
        }
        self.port = port.flatMap { Self.port($0) }
        if port != nil, self.port == nil { throw AllowedHostError(text) }
        if let range = IPRange(host) {
            subject = .range(range)
        } else if let name = Egress.name(String(host)), !name.hasSuffix(".") {
            subject = .name(name)
        } else {
            throw AllowedHostError(text)
        }
    }

    private static func port(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text).flatMap { (1...65535).contains($0) ? $0 : nil }
    }

    package func includes(_ name: String, port: Int) -> Bool {
        (self.port ?? port) == port && subject == .name(name)
    }

    package func includes(_ address: IPAddress, port: Int) -> Bool {
        guard (self.port ?? port) == port, case .range(let range) = subject else { return false }
        return range.contains(address)
    }
}

/// The error for a text that names no host, address, or range.
public struct AllowedHostError: Error, Hashable, CustomStringConvertible {
    /// The text.
    public let text: String

    init(_ text: String) { self.text = text }

    /// A text that says what is wrong and which forms there are.
    public var description: String {
        "'\(text)' is not a host or a range: give example.com, example.com:8443, 192.0.2.1, 10.0.0.0/8, or "
            + "[2001:db8::1]:8080"
    }
}
#endif
