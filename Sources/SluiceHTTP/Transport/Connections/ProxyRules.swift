#if HTTP
public import AsyncHTTPClient
public import Foundation

/// The proxies for requests, by the scheme and the host of their addresses.
///
/// ```swift
/// let rules = ProxyRules(environment: [
///     "HTTPS_PROXY": "http://ada:secret@proxy.example.com:3128", "NO_PROXY": "internal.example.com,10.0.0.0/8",
/// ])
/// var settings = HTTPTransport.Settings()
/// settings.proxies = rules
/// ```
///
/// A request passes through a proxy by CONNECT, also one for an `http` address. Requests to `localhost`, to addresses of
/// loopback, and to hosts for which ``HTTPTransport/Settings/addresses`` has an address, have no proxy.
public struct ProxyRules: Sendable, Hashable {
    /// A proxy of HTTP or SOCKS.
    public typealias Proxy = HTTPClient.Configuration.Proxy

    /// The proxy of `https` addresses.
    public var https: Proxy?
    /// The proxy of `http` addresses.
    public var http: Proxy?
    /// The hosts without a proxy: `*` for all; a name, which includes its subdomains; a name after a dot, for its
    /// subdomains only; an IP address, or a block of them such as `10.0.0.0/8`. A port after a colon limits an entry to
    /// that port.
    public var exceptions: [String] = []
    /// A Boolean value that indicates whether requests to `localhost` and addresses of loopback have no proxy; `true` by
    /// default.
    public var exceptsLoopback = true
    /// The problem of a variable that is not a proxy; requests that would need it fail with this text.
    private var httpsFault: String?
    private var httpFault: String?

    /// Makes rules with the same proxy for all addresses, or without one.
    public init(_ proxy: Proxy? = nil, exceptions: [String] = []) {
        https = proxy
        http = proxy
        self.exceptions = exceptions
    }

    /// No proxies.
    public static let none = ProxyRules()

    /// The rules of the environment of this process.
    public static let environment = ProxyRules(environment: ProcessInfo.processInfo.environment)

    /// Makes the rules of environment variables: `HTTPS_PROXY`, `http_proxy`, `ALL_PROXY` for addresses without one of
    /// these, and `NO_PROXY`, a list separated by commas.
    ///
    /// Names in lowercase count too, and first. `HTTP_PROXY` doesn't count where `REQUEST_METHOD` is set: in a CGI
    /// program it is a field of a client's request. A proxy is `http://user:password@host:port`, `socks5://host:port`,
    /// or `host:port`. A request that needs a proxy whose text is invalid fails with an error that names the variable.
    public init(environment: [String: String]) {
        func value(_ name: String) -> (name: String, text: String)? {
            for name in [name.lowercased(), name] {
                if name == "HTTP_PROXY", environment["REQUEST_METHOD"] != nil { continue }
                if let text = environment[name], !text.isEmpty { return (name, text) }
            }
            return nil
        }
        (https, httpsFault) = Self.parsed(value("HTTPS_PROXY") ?? value("ALL_PROXY"))
        (http, httpFault) = Self.parsed(value("HTTP_PROXY") ?? value("ALL_PROXY"))
        let list = value("NO_PROXY")?.text ?? ""
        exceptions = list.split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// Returns the proxy for an address; `nil` for a direct connection.
    ///
    /// - Throws: ``ProxyRulesError`` when the environment variable for the address is not a proxy.
    /// - Complexity: O(*n*) in the number of exceptions.
    public func proxy(for url: URL) throws(ProxyRulesError) -> Proxy? {
        let isSecure = url.scheme?.lowercased() == "https"
        let proxy = isSecure ? https : http
        let fault = isSecure ? httpsFault : httpFault
        guard proxy != nil || fault != nil else { return nil }
        guard let host = url.host(percentEncoded: false).map({ HostName($0) }), !host.text.isEmpty else { return nil }
        if exceptsLoopback, host.isLoopback { return nil }
        let port = url.port ?? (isSecure ? 443 : 80)
        if exceptions.contains(where: { host.matches($0, port: port) }) { return nil }
        if let fault { throw ProxyRulesError(description: fault) }
        return proxy
    }

    private static func parsed(_ value: (name: String, text: String)?) -> (Proxy?, fault: String?) {
        guard let value else { return (nil, nil) }
        func fault(_ reason: String) -> (Proxy?, String?) { (nil, "\(value.name) is not a proxy: \(reason)") }
        let text = value.text.contains("://") ? value.text : "http://" + value.text
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty else {
            return fault("it must be http://host:port")
        }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard url.port.map({ (1...65535).contains($0) }) != false else {
            return fault("its port is not from 1 to 65535")
        }
        switch url.scheme?.lowercased() {
        case "http":
            let port = url.port ?? 80
            guard let user = url.user else { return (.server(host: name, port: port), nil) }
            let credentials = HTTPClient.Authorization.basic(username: user, password: url.password ?? "")
            return (.server(host: name, port: port, authorization: credentials), nil)
        case "socks5", "socks5h", "socks":
            if url.user != nil { return fault("a SOCKS proxy with a password is not supported") }
            return (.socksServer(host: name, port: url.port ?? 1080), nil)
        default: return fault("the scheme \(url.scheme ?? "") is not supported, use http or socks5")
        }
    }
}

/// The error of an environment variable that is not a proxy.
public struct ProxyRulesError: Error, Sendable, CustomStringConvertible {
    /// The problem.
    public let description: String
}
#endif
