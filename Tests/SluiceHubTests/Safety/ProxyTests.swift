#if Hub
import Hummingbird
import HummingbirdTesting
import SluiceConnect
import Testing

@testable import SluiceHub

@Suite struct ProxyTests {
    private func proxies(_ texts: String...) throws -> Proxies { Proxies(try texts.map { try ProxyAddress($0) }) }

    @Test(arguments: [
        ("192.0.2.1", ["203.0.113.9"], "192.0.2.1"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        // The addresses before the proxy's own entry can be anybody's claim.
        ("10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
        // A chain of proxies.
        ("10.0.0.1", ["198.51.100.1, 203.0.113.9, 10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["203.0.113.9:4711"], "203.0.113.9"),
        ("10.0.0.1", ["[2001:db8::9]:4711"], "2001:db8::9"),
        ("10.0.0.1", ["2001:db8::9"], "2001:db8::9"),
        ("10.0.0.1", ["203.0.113.9, nobody"], "10.0.0.1"),
        ("10.0.0.1", ["", ","], "10.0.0.1"),
        ("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("::ffff:192.0.2.1", ["203.0.113.9"], "::ffff:192.0.2.1"),
    ])
    func theClientIsTheLastAddressThatIsNoProxys(_ peer: String, _ forwarded: [String], _ client: String) throws {
        let proxies = try proxies("10.0.0.0/24")
        let address = try #require(IPAddress(peer))
        #expect(proxies.client(peer: address, forwarded: forwarded) == IPAddress(client))
        #expect(Proxies().client(peer: address, forwarded: forwarded) == address)
    }

    @Test(arguments: ["", "example.com", "10.0.0.1:80", "10.0.0.0/33", "[::1]", "10.0.0", "*"])
    func otherTextsAreRefused(_ text: String) {
        #expect(throws: HubError.notProxy(text)) { try ProxyAddress(text) }
    }

    /// A client of version 6 has a whole network, and one of version 4 may look like one of version 6.
    @Test func clientsAreCountedByTheirNetwork() throws {
        func client(_ text: String) throws -> String { try #require(IPAddress(text)).client.description }
        #expect(try client("2001:db8:1:2:3:4:5:6") == client("2001:db8:1:2::1"))
        #expect(try client("2001:db8:1:2::1") != client("2001:db8:1:3::1"))
        #expect(try client("::ffff:192.0.2.1") == "192.0.2.1")
        #expect(try client("::ffff:192.0.2.1") != client("::ffff:192.0.2.2"))
    }

    /// Logs in with a wrong token, and returns the status.
    /// Runs `test` with a hub that trusts a proxy at another address, and with one that trusts the address of the client.
    private func behindEachProxy(_ test: @escaping @Sendable (Int, Bool) async throws -> Void) async throws {
        for (proxy, isBelieved) in [("192.0.2.1", false), ("127.0.0.1", true)] {
            var settings = HubSettings()
            settings.token = TokenTests.token
            settings.proxies = [try ProxyAddress(proxy)]
            let hub = try await Hub(settings: settings)
            try await Application(router: hub.routes.router()).test(.live) { client in
                try await test(client.port ?? 0, isBelieved)
            }
        }
    }

    private func guess(_ port: Int, _ field: String) async throws -> Int {
        let body = #"{"token": "guess"}"#
        return try await Exchange.answer(
            port,
            "POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\(field)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        ).status
    }

    /// The limit holds for the address of the connection, whatever the request says.
    @Test func aForgedAddressChangesNothing() async throws {
        try await behindEachProxy { port, isBelieved in
            for number in 1...10 {
                let status = try await guess(port, "X-Forwarded-For: 203.0.113.\(number)")
                #expect(status == 401)
            }
            let last = try await guess(port, "X-Forwarded-For: 203.0.113.11")
            #expect(last == (isBelieved ? 401 : 429))
        }
    }

    /// Only a proxy can say that the browser speaks https.
    @Test func aForgedSchemeChangesNothing() async throws {
        try await behindEachProxy { port, isBelieved in
            let body = #"{"token": "\#(TokenTests.token)"}"#
            for scheme in ["https", "http"] {
                let answer = try await Exchange.answer(
                    port,
                    "POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        + "X-Forwarded-Proto: \(scheme)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                let isSecure = isBelieved && scheme == "https"
                let cookie = try #require(answer.field("Set-Cookie"))
                #expect(cookie.hasPrefix(isSecure ? "__Host-sluice_session_\(port)=" : "sluice_session_\(port)="))
                #expect(cookie.hasSuffix("; Secure") == isSecure)
                // A cookie of https is not taken over http, where others may have set it.
                let pair = cookie.prefix { $0 != ";" }
                for other in ["https", "http"] {
                    let head =
                        "GET /streams HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: \(other)\r\n"
                        + "Cookie: \(pair)\r\n\r\n"
                    let isTaken = !isBelieved || scheme == other
                    #expect(try await Exchange.answer(port, head).status == (isTaken ? 200 : 401))
                }
            }
        }
    }
}
#endif
