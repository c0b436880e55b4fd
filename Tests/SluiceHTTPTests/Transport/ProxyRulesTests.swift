#if HTTP
import AsyncHTTPClient
import Foundation
import SluiceHTTP
import Testing

/// Tests of the choice of a proxy, without a network.
@Suite struct ProxyRulesTests {
    typealias Proxy = HTTPClient.Configuration.Proxy

    static let proxy = Proxy.server(host: "proxy", port: 3128)

    @Test(arguments: [
        ("http://proxy:3128", proxy), ("proxy:3128", proxy), ("HTTP://proxy:3128/", proxy),
        ("http://proxy", .server(host: "proxy", port: 80)), ("http://[::1]:8", .server(host: "::1", port: 8)),
        (
            "http://a%40b:p%3Aw@proxy:3128",
            .server(host: "proxy", port: 3128, authorization: .basic(username: "a@b", password: "p:w"))
        ),
        ("socks5://proxy", .socksServer(host: "proxy", port: 1080)),
        ("socks5h://proxy:8", .socksServer(host: "proxy", port: 8)),
    ])
    func texts(_ text: String, _ proxy: Proxy) throws {
        let rules = ProxyRules(environment: ["HTTPS_PROXY": text])
        #expect(try rules.proxy(for: .of("https://example.com/")) == proxy)
        #expect(try rules.proxy(for: .of("http://example.com/")) == nil)
    }

    @Test(arguments: [
        ("https://proxy:3128", "the scheme https is not supported, use http or socks5"),
        ("ftp://proxy", "the scheme ftp is not supported, use http or socks5"),
        ("http://", "it must be http://host:port"), ("http://a b", "it must be http://host:port"),
        ("http://proxy:0", "its port is not from 1 to 65535"),
        ("http://proxy:99999", "its port is not from 1 to 65535"),
        ("socks5://ada:x@proxy", "a SOCKS proxy with a password is not supported"),
    ])
    func invalidTexts(_ text: String, _ reason: String) async throws {
        let rules = ProxyRules(environment: ["HTTPS_PROXY": text, "NO_PROXY": "direct.example.com"])
        let error = #expect(throws: ProxyRulesError.self) { try rules.proxy(for: .of("https://example.com/")) }
        #expect(error?.description == "HTTPS_PROXY is not a proxy: \(reason)")
        // Requests that don't need it are sent.
        #expect(try rules.proxy(for: .of("http://example.com/")) == nil)
        #expect(try rules.proxy(for: .of("https://direct.example.com/")) == nil)
        var settings = HTTPTransport.Settings()
        settings.proxies = rules
        let failure = try await withHTTPTransport(settings) { transport async throws in
            await #expect(throws: HTTPError.self) { try await transport.process(.get("https://example.com/")) }
        }
        #expect(failure?.code == .badRequest)
        #expect(failure?.message == "HTTPS_PROXY is not a proxy: \(reason)")
    }

    @Test func names() throws {
        func proxy(_ environment: [String: String], _ url: String = "https://example.com/") throws -> String? {
            try ProxyRules(environment: environment).proxy(for: .of(url))?.host
        }
        #expect(try proxy([:]) == nil)
        #expect(try proxy(["HTTPS_PROXY": ""]) == nil)
        #expect(try proxy(["HTTPS_PROXY": "http://a", "https_proxy": "http://b"]) == "b")
        #expect(try proxy(["ALL_PROXY": "http://a", "https_proxy": "http://b"]) == "b")
        #expect(try proxy(["all_proxy": "http://a"]) == "a")
        let plain = "http://example.com/"
        #expect(try proxy(["HTTP_PROXY": "http://a"], plain) == "a")
        #expect(try proxy(["http_proxy": "http://a"], plain) == "a")
        // In a CGI program, HTTP_PROXY is the field Proxy of the request.
        #expect(try proxy(["HTTP_PROXY": "http://a", "REQUEST_METHOD": "GET"], plain) == nil)
        #expect(try proxy(["http_proxy": "http://a", "REQUEST_METHOD": "GET"], plain) == "a")
    }

    @Test(arguments: [
        ("example.com", "example.com", true), ("example.com", "www.Example.com.", true),
        ("example.com", "badexample.com", false), (".example.com", "www.example.com", true),
        (".example.com", "example.com", false), ("*.example.com", "a.b.example.com", true),
        ("*.example.com", "example.com", false), ("*", "example.com", true), ("", "example.com", false),
        (" a , example.com", "example.com", true), ("example.com:443", "example.com", true),
        ("example.com:80", "example.com", false), ("EXAMPLE.com", "example.com", true),
        ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
        ("10.1.2.0/23", "10.1.3.255", true), ("10.1.2.0/23", "10.1.4.0", false), ("0.0.0.0/0", "1.2.3.4", true),
        ("1.2.3", "1.2.3.4", false), ("2001:db8::/32", "[2001:db8::1]", true),
        ("2001:db8::/32", "[2001:db9::1]", false),
        ("[2001:db8::1]:443", "[2001:db8::1]", true), ("2001:db8::1", "[2001:db8:0::1]", true),
        ("[2001:db8::1]:80", "[2001:db8::1]", false), ("10.0.0.0/33", "10.0.0.0", false),
    ])
    func exceptions(_ list: String, _ host: String, _ isException: Bool) throws {
        let rules = ProxyRules(environment: ["HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": list])
        #expect(try rules.proxy(for: .of("https://\(host)/")) == (isException ? nil : Self.proxy))
    }

    @Test(arguments: [
        "localhost", "LOCALHOST", "api.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "[::ffff:127.0.0.1]",
    ])
    func loopback(_ host: String) throws {
        var rules = ProxyRules(Self.proxy)
        #expect(try rules.proxy(for: .of("http://\(host):8080/")) == nil)
        rules.exceptsLoopback = false
        #expect(try rules.proxy(for: .of("http://\(host):8080/")) == Self.proxy)
    }
}
#endif
