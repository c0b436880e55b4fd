import Foundation

/// What must hold of an address before AsyncHTTPClient may see it.
enum Address {
    /// Whether the port, if the address names one, is from 1 to 65535: AsyncHTTPClient traps on others.
    ///
    /// The text decides, as `URL.port` is `nil` for a number that does not fit an `Int`.
    static func hasPort(_ url: URL) -> Bool {
        if let port = url.port, !(1...65535).contains(port) { return false }
        let text = url.absoluteString
        guard let slashes = text.range(of: "://") else { return true }
        var authority = text[slashes.upperBound...].prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        if let bracket = authority.lastIndex(of: "]") { authority = authority[bracket...] }
        guard let colon = authority.lastIndex(of: ":") else { return true }
        let port = authority[authority.index(after: colon)...]
        return port.isEmpty || Int(port).map { (1...65535).contains($0) } == true
    }

    /// The scheme, host and port, which tell one server from another; `nil` if the address is none of a web server.
    static func origin(_ url: URL) -> [String]? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        return [scheme, host, "\(url.port ?? (scheme == "https" ? 443 : 80))"]
    }
}
