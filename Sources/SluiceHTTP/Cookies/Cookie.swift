#if HTTP
import Foundation

/// A cookie in a jar (RFC 6265bis).
public struct Cookie: Sendable, Hashable {
    /// The rules for requests from another site.
    public enum SameSite: String, Sendable, Hashable {
        /// The cookie is sent with no request from another site.
        case strict
        /// The cookie is sent with requests from another site that have safe methods; the default.
        case lax
        /// The cookie is sent with requests from every site.
        case none
    }

    /// The name; may be empty.
    public var name: String
    /// The value.
    public var value: String
    /// The domain in lowercase: the host that set the cookie, or the domain of its attribute.
    public var domain: String
    /// The path under which the cookie is sent.
    public var path: String
    /// The time at which the cookie expires, in seconds since 1970; `nil` for the lifetime of the jar.
    public var expires: Double?
    /// A Boolean value that indicates whether the cookie is sent only to the host that set it.
    public var isHostOnly: Bool
    /// A Boolean value that indicates whether the cookie is sent only over HTTPS.
    public var isSecure: Bool
    /// The rule for requests from another site.
    public var sameSite: SameSite

    /// The maximum lifetime of a cookie in seconds: 400 days.
    static let longestLife = 400.0 * 86400

    /// Reads a `Set-Cookie` field (5.7); returns `nil` for a cookie that is refused.
    init?(_ field: String, from url: URL, suffixes: PublicSuffixList, now: Double) {
        let isControl = { (byte: UInt8) in byte < 0x20 && byte != 0x09 || byte == 0x7F }
        guard !field.utf8.contains(where: isControl), let host = Cookie.host(of: url) else { return nil }
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        let pair = parts[0]
        if let equals = pair.firstIndex(of: "=") {
            name = String(pair[..<equals].trimmed)
            value = String(pair[pair.index(after: equals)...].trimmed)
        } else {
            name = ""
            value = String(pair.trimmed)
        }
        guard !(name.isEmpty && value.isEmpty), name.utf8.count + value.utf8.count <= 4096 else { return nil }
        let attributes = Cookie.attributes(parts.dropFirst())

        // Max-Age takes precedence over Expires.
        if let age = attributes.maxAge {
            expires = age <= 0 ? -.infinity : now + min(age, Cookie.longestLife)
        } else if let date = attributes.expires {
            expires = min(date, now + Cookie.longestLife)
        }
        isSecure = attributes.isSecure
        sameSite = attributes.sameSite
        path = attributes.path ?? Cookie.defaultPath(url)
        isHostOnly = true
        domain = host
        if let wanted = attributes.domain, !wanted.isEmpty {
            if suffixes.isPublicSuffix(wanted) {
                guard wanted == host else { return nil }
            } else {
                guard Cookie.matches(host, domain: wanted) else { return nil }
                (domain, isHostOnly) = (wanted, false)
            }
        }
        let isHTTPS = url.scheme?.lowercased() == "https"
        guard isHTTPS || !isSecure, sameSite != .none || isSecure else { return nil }
        // A cookie without a name can look on the wire like one with a name and its prefix.
        let prefixed = (name.isEmpty ? value : name).lowercased()
        if prefixed.hasPrefix("__secure-"), name.isEmpty || !isSecure { return nil }
        if prefixed.hasPrefix("__host-"),
            name.isEmpty || !isSecure || !isHostOnly || attributes.path != "/" || attributes.domain?.isEmpty == false
        {
            return nil
        }
    }

    /// Returns whether the cookie is sent with a request to a host and a path.
    func goes(to host: String, path: String, isHTTPS: Bool) -> Bool {
        (isHostOnly ? host == domain : Cookie.matches(host, domain: domain)) && Cookie.matches(path: path, self.path)
            && (isHTTPS || !isSecure)
    }

    /// The text `name=value`, or the value if the name is empty.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    /// Returns the host of an address, in lowercase.
    static func host(of url: URL) -> String? {
        guard let host = url.host?.lowercased(), !host.isEmpty else { return nil }
        return host
    }

    /// Returns the path of an address, as it is sent.
    static func path(of url: URL) -> String {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? url.path
        return path.isEmpty ? "/" : path
    }

    /// Returns whether a host is equal to a domain or is a subdomain of it (5.1.3); an IP address is a subdomain of
    /// none.
    static func matches(_ host: String, domain: String) -> Bool {
        if host == domain { return true }
        guard host.hasSuffix("." + domain) else { return false }
        return !isAddress(host)
    }

    /// Returns a Boolean value that indicates whether a host is an IP address.
    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.split(separator: ".").last.map { $0.allSatisfy(\.isNumber) } == true
    }

    /// Returns whether a path is equal to the cookie's path or is under it (5.1.4).
    static func matches(path: String, _ own: String) -> Bool {
        guard path.hasPrefix(own) else { return false }
        return path.utf8.count == own.utf8.count || own.hasSuffix("/")
            || path.utf8.dropFirst(own.utf8.count).first == UInt8(ascii: "/")
    }

    /// Returns the folder of the address (5.1.4).
    private static func defaultPath(_ url: URL) -> String {
        let path = path(of: url)
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private struct Attributes {
        var expires: Double?
        var maxAge: Double?
        var domain: String?
        var path: String?
        var isSecure = false
        var sameSite = SameSite.lax
    }

    /// Reads the attributes; the last of several with the same name counts.
    private static func attributes(_ parts: ArraySlice<Substring>) -> Attributes {
        var attributes = Attributes()
        for part in parts {
            let equals = part.firstIndex(of: "=")
            let name = part[..<(equals ?? part.endIndex)].trimmed.lowercased()
            let value = equals.map { part[part.index(after: $0)...].trimmed } ?? ""
            guard value.utf8.count <= 1024 else { continue }
            switch name {
            case "expires": attributes.expires = CookieDate.parse(String(value)) ?? attributes.expires
            case "max-age":
                let digits = value.hasPrefix("-") ? value.dropFirst() : value
                guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let age = Double(value)
                else { continue }
                attributes.maxAge = age
            case "domain": attributes.domain = (value.hasPrefix(".") ? value.dropFirst() : value).lowercased()
            case "path": attributes.path = value.hasPrefix("/") ? String(value) : nil
            case "secure": attributes.isSecure = true
            case "samesite":
                attributes.sameSite = SameSite(rawValue: value.lowercased()) ?? .lax
            default: break
            }
        }
        return attributes
    }
}
#endif
