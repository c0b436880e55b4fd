#if HTTP
import Foundation

/// The checks for an address before AsyncHTTPClient may see it.
enum Address {
    /// Returns whether the port, if the address has one, is from 1 to 65535: AsyncHTTPClient traps on others.
    ///
    /// The check reads the text, since `URL.port` is `nil` for a number that does not fit an `Int`.
    static func hasPort(_ url: URL) -> Bool {
        if let port = url.port, !(1...65535).contains(port) { return false }
        var text = url.absoluteString
        // The check works on bytes, since it runs for every request.
        return text.withUTF8 { text in
            guard let start = Self.authority(of: text) else { return true }
            var authority = text[start...].prefix { !"/?#".utf8.contains($0) }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[at...].dropFirst() }
            if let bracket = authority.lastIndex(of: UInt8(ascii: "]")) { authority = authority[bracket...] }
            guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return true }
            let port = String(decoding: authority[colon...].dropFirst(), as: UTF8.self)
            return port.isEmpty || Int(port).map { (1...65535).contains($0) } == true
        }
    }

    /// Returns the index after the first `://`; `nil` if the text has no `://`.
    private static func authority(of text: UnsafeBufferPointer<UInt8>) -> Int? {
        for index in 0..<max(text.count - 2, 0) where text[index] == UInt8(ascii: ":") {
            if text[index + 1] == UInt8(ascii: "/") && text[index + 2] == UInt8(ascii: "/") { return index + 3 }
        }
        return nil
    }

    /// Returns the scheme, host, and port, which identify a server; `nil` if the address is not one of a web server.
    static func origin(_ url: URL) -> [String]? {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host?.lowercased(), !host.isEmpty
        else { return nil }
        return [scheme, host, "\(url.port ?? (scheme == "https" ? 443 : 80))"]
    }
}
#endif
