#if HTTP
import AsyncHTTPClient
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceTestSupport
import Testing

/// A real proxy that requires a password, started by `bin/test`.
enum Tinyproxy {
    private static let environment = ProcessInfo.processInfo.environment
    static var address: String { environment["SLUICE_TINYPROXY"] ?? "" }
    static var isThere: Bool { !address.isEmpty && Nginx.isThere }

    /// Returns the number of connections that the proxy made to an address, by its log.
    static func count(_ url: URL) throws -> Int {
        let log = try String(contentsOfFile: environment["SLUICE_TINYPROXY_LOG"] ?? "", encoding: .utf8)
        let target = "CONNECT \(url.host ?? ""):\(url.port ?? 0) "
        return log.components(separatedBy: target).count - 1
    }
}

/// Tests of proxies against tinyproxy, in front of nginx. They run one after the other, since they count the lines of
/// the proxy's log.
@Suite(.serialized, .enabled(if: Tinyproxy.isThere, "tinyproxy or nginx is not there; see bin/test"))
struct ProxyTests {
    func settings(_ environment: [String: String]) throws -> HTTPTransport.Settings {
        var settings = try Nginx.settings()
        settings.proxies = ProxyRules(environment: environment)
        // The servers of the tests are on loopback.
        settings.proxies.exceptsLoopback = false
        return settings
    }

    /// Returns the answer to a GET, and the number of connections that the proxy made for it.
    func get(_ settings: HTTPTransport.Settings, _ url: URL) async throws -> (TransportResponse, Int) {
        let before = try Tinyproxy.count(url)
        let response = try await withHTTPTransport(settings) { transport in
            _ = try await transport.process(TransportRequest(.get, url))
            return try await transport.process(TransportRequest(.get, url))
        }
        return (response, try Tinyproxy.count(url) - before)
    }

    @Test(arguments: [true, false]) func proxyWithCredentials(_ isSecure: Bool) async throws {
        let url = isSecure ? try Nginx.secureURL("/echo") : try Nginx.url("/echo")
        let name = isSecure ? "HTTPS_PROXY" : "http_proxy"
        for scheme in ["http://", ""] {
            let (response, count) = try await get(
                settings([name: "\(scheme)ada:s3cret@\(Tinyproxy.address)"]),
                url
            )
            #expect(try await response.text() == "GET ")
            // Both requests over one connection through the proxy.
            #expect(count == 1)
        }
        let parts = Tinyproxy.address.split(separator: ":")
        var settings = try Nginx.settings()
        settings.proxy = .server(
            host: String(parts[0]),
            port: try #require(Int(parts[1])),
            authorization: .basic(username: "ada", password: "s3cret")
        )
        #expect(try await get(settings, url).1 == 1)
    }

    @Test(arguments: ["", "ada:wrong@", "eve:s3cret@"])
    func wrongCredentials(_ credentials: String) async throws {
        let settings = try settings(["HTTPS_PROXY": "http://\(credentials)\(Tinyproxy.address)"])
        let url = try Nginx.secureURL("/echo")
        let error = await #expect(throws: HTTPError.self) { try await get(settings, url) }
        #expect(error?.code == .unreachable)
        #expect(error?.isUnsent == true)
        // tinyproxy answers 407 to no credentials, and 401 to wrong ones.
        let message = error?.message ?? ""
        #expect(message.hasPrefix("no connection: ") && message.lowercased().contains("proxy"), "\(message)")
    }

    /// Each address has the proxy of its scheme, unless `NO_PROXY` names it.
    @Test func rules() async throws {
        let proxy = "http://ada:s3cret@\(Tinyproxy.address)"
        let (secure, plain) = (try Nginx.secureURL("/echo"), try Nginx.url("/echo"))
        #expect(try await get(settings(["HTTPS_PROXY": proxy]), secure).1 == 1)
        #expect(try await get(settings(["HTTPS_PROXY": proxy]), plain).1 == 0)
        #expect(try await get(settings(["http_proxy": proxy]), secure).1 == 0)
        #expect(try await get(settings(["ALL_PROXY": proxy]), secure).1 == 1)
        for exception in ["*", "localhost", "example.com, localhost:\(secure.port ?? 0)"] {
            let direct = try settings(["HTTPS_PROXY": proxy, "NO_PROXY": exception])
            #expect(try await get(direct, secure).1 == 0)
        }
        let other = try settings(["HTTPS_PROXY": proxy, "NO_PROXY": "example.com,localhost:1,10.0.0.0/8"])
        #expect(try await get(other, secure).1 == 1)
        // Without the exception for these tests, requests to this machine have no proxy.
        var standard = other
        standard.proxies.exceptsLoopback = true
        #expect(try await get(standard, secure).1 == 0)
        // An address that the program names is not resolved by a proxy.
        var pinned = try settings(["HTTPS_PROXY": proxy])
        pinned.addresses = ["localhost": "127.0.0.1"]
        #expect(try await get(pinned, secure).1 == 0)
    }

    /// The pins are those of the server behind the proxy.
    @Test func pinsBehindAProxy() async throws {
        var settings = try settings(["HTTPS_PROXY": "http://ada:s3cret@\(Tinyproxy.address)"])
        let url = try Nginx.secureURL("/echo")
        settings.pins["localhost"] = [try PublicKeyPin(certificateFile: try Nginx.file("server.pem"))]
        #expect(try await get(settings, url).1 == 1)
        settings.pins["localhost"] = [try PinningTests.other()]
        let error = await #expect(throws: HTTPError.self) { try await get(settings, url) }
        #expect(error?.message.hasSuffix("which is not pinned") == true)
    }
}
#endif
