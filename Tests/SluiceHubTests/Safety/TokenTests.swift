#if Hub
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceStore
import SluiceTesting
import Testing

@testable import SluiceHub

@Suite struct TokenTests {
    static let token = "a-token-of-this-hub"

    /// A hub with a token.
    private func hub() async throws -> Hub {
        var settings = HubSettings()
        settings.token = Self.token
        return try await Hub(settings: settings)
    }

    private func logIn(_ hub: Hub, _ token: String, _ headers: [String: String] = [:]) async throws -> Hub.Answer {
        try await hub.ask(.post, "/session", #"{"token": \#(JSON.string(token))}"#, headers)
    }

    private func cookie(_ answer: Hub.Answer) -> String? {
        answer.headers[.setCookie]?.split(separator: ";").first.map(String.init)
    }

    @Test func everyRouteButTheOpenOnesNeedsIt() async throws {
        let hub = try await hub()
        for operation in hub.routes.operations {
            let path = operation.example
            let isOpen = ["health", "logIn", "postToWebhook"].contains(operation.id)
            let answer = try await hub.ask(operation.method, path)
            #expect((answer.status == .unauthorized) == !isOpen, "\(operation.method) \(path): \(answer.status)")
            if !isOpen { #expect(answer.headers[.wwwAuthenticate] == #"Bearer realm="sluice""#) }
        }
        for path in ["/none", "//page/page.js", "/%70age/page.js", "/Page/page.js", "/page", "/health/"] {
            #expect(try await hub.ask(.get, path).status == .unauthorized, "\(path)")
        }
        for path in ["/", "/page/page.js", "/health"] {
            #expect(try await hub.ask(.get, path).status == .ok, "\(path)")
        }
        #expect(try await hub.ask(.put, "/page/page.js").status == .unauthorized)
    }

    @Test func bearerOpensEverything() async throws {
        let hub = try await hub()
        for field in ["Bearer \(Self.token)", "bearer \(Self.token)"] {
            #expect(try await hub.ask(.get, "/streams", nil, ["Authorization": field]).status == .ok, "\(field)")
        }
    }

    @Test(arguments: [
        "Bearer a-token-of-this-hu", "Bearer a-token-of-this-hub2", "Bearer A-token-of-this-hub", "Bearer ", "Bearer",
        "", "Basic a-token-of-this-hub", "a-token-of-this-hub", "Bearer a-token-of-this-hub a",
        "Bearer a-token-of-this-huba-token-of-this-hub",
    ])
    func anythingElseDoesNot(_ field: String) async throws {
        #expect(try await hub().ask(.get, "/streams", nil, ["Authorization": field]).status == .unauthorized)
    }

    @Test func allBytesAreCompared() {
        let token = Array("0123456789".utf8)
        #expect(Access.isEqual(token, token))
        for index in token.indices {
            var other = token
            other[index] ^= 1
            #expect(!Access.isEqual(other, token), "\(index)")
        }
        #expect(!Access.isEqual([], token))
        #expect(!Access.isEqual(token + token, token))
        #expect(!Access.isEqual(Array(token.dropLast()), token))
        #expect(!Access.isEqual(token, []))
    }

    /// An address is written to logs and histories.
    @Test func aTokenInTheAddressIsNotLookedAt() async throws {
        let hub = try await hub()
        for query in ["token", "access_token", "sluice_session"] {
            #expect(try await hub.ask(.get, "/streams?\(query)=\(Self.token)").status == .unauthorized)
        }
        #expect(try await hub.ask(.post, "/session?token=\(Self.token)", "{}").status == .unprocessableContent)
    }

    @Test func theLoginsCookieOpensEverything() async throws {
        let hub = try await hub()
        let answer = try await logIn(hub, Self.token)
        #expect(answer.status == .noContent)
        let field = try #require(answer.headers[.setCookie])
        #expect(field.hasSuffix("; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict"))
        #expect(!field.contains(Self.token))
        let cookie = try #require(self.cookie(answer))
        #expect(cookie.utf8.count == "sluice_session=".utf8.count + 64)
        for sent in [cookie, "a=b; \(cookie)", "\(cookie); c=d", "sluice_session2=x; \(cookie)"] {
            #expect(try await hub.ask(.get, "/streams", nil, ["Cookie": sent]).status == .ok, "\(sent)")
        }
        for sent in ["sluice_session=", "sluice_session", "sluice_session=\(Self.token)", "x\(cookie)", "\(cookie)0"] {
            #expect(try await hub.ask(.get, "/streams", nil, ["Cookie": sent]).status == .unauthorized, "\(sent)")
        }
        // Two logins make two sessions.
        #expect(try await self.cookie(logIn(hub, Self.token)) != cookie)
        // A logout ends the session and removes the browser's cookie.
        let out = try await hub.ask(.delete, "/session", nil, ["Cookie": cookie])
        #expect(out.status == .noContent)
        #expect(out.headers[.setCookie]?.hasPrefix("sluice_session=; Path=/; Max-Age=0;") == true)
        #expect(try await hub.ask(.get, "/streams", nil, ["Cookie": cookie]).status == .unauthorized)
    }

    @Test func aSessionComesToItsEnd() async throws {
        let hub = try await hub()
        let cookie = try #require(self.cookie(try await logIn(hub, Self.token)))
        hub.clock.advance(by: .seconds(SessionTable.lifetime - 1))
        #expect(try await hub.ask(.get, "/streams", nil, ["Cookie": cookie]).status == .ok)
        hub.clock.advance(by: .seconds(2))
        #expect(try await hub.ask(.get, "/streams", nil, ["Cookie": cookie]).status == .unauthorized)
    }

    /// An event stream ends when the session of its reader expires, without another login or request.
    @Test func eventStreamsEndWhenTheirSessionExpires() async throws {
        let hub = try await hub()
        let access = hub.routes.access
        let ended = Locked<[Int]>([])
        func identity() throws -> Identity {
            var identity = Identity.owner
            identity.session = try access.logIn(Self.token, from: "here")
            return identity
        }
        let lifetime = Duration.seconds(SessionTable.lifetime)
        let first = try identity()
        _ = access.open(for: first) { ended.withLock { $0.append(1) } }
        let number = try #require(access.open(for: first) { ended.withLock { $0.append(2) } })
        _ = access.open(for: .owner) { ended.withLock { $0.append(3) } }
        hub.clock.advance(by: .seconds(10))
        _ = access.open(for: try identity()) { ended.withLock { $0.append(4) } }
        let third = try identity()
        _ = access.open(for: third) { ended.withLock { $0.append(5) } }
        access.logOut(try #require(third.session))
        #expect(ended.withLock { $0 } == [5])
        access.close(number)
        hub.clock.advance(by: lifetime - .seconds(11))
        #expect(ended.withLock { $0 } == [5])
        hub.clock.advance(by: .seconds(1))
        #expect(ended.withLock { $0 } == [5, 1])
        // A request that came before the end, and is answered after it, opens none.
        #expect(access.open(for: first) { ended.withLock { $0.append(6) } } == nil)
        #expect(ended.withLock { $0 } == [5, 1, 6])
        hub.clock.advance(by: .seconds(10))
        #expect(ended.withLock { $0 } == [5, 1, 6, 4])
        // All sessions are over, and the next one expires too.
        _ = access.open(for: try identity()) { ended.withLock { $0.append(7) } }
        hub.clock.advance(by: lifetime)
        #expect(ended.withLock { $0 } == [5, 1, 6, 4, 7])
    }

    @Test func sessionsAreBounded() {
        var table = SessionTable()
        let first = table.begin(.owner, at: 0)
        for time in 1...Int64(SessionTable.limit) { _ = table.begin(.owner, at: time) }
        #expect(table.count == SessionTable.limit)
        #expect(table.identity(of: first, at: 1) == nil)
    }

    /// Wrong tokens of others at an address don't lock the owner of the right one out, neither many at once nor one
    /// whenever the limit would let the next one pass.
    @Test func aValidTokenAlwaysPasses() async throws {
        let hub = try await hub()
        for _ in 0..<10 { #expect(try await logIn(hub, "guess").status == .unauthorized) }
        for _ in 0..<40 {
            let answer = try await logIn(hub, "guess")
            #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] == "5")
            #expect(try await logIn(hub, Self.token).status == .noContent)
        }
        for _ in 0..<100 {
            hub.clock.advance(by: .seconds(5))
            #expect(try await logIn(hub, "guess").status == .unauthorized)
            #expect(try await logIn(hub, Self.token).status == .noContent)
        }
        for _ in 0..<100 {
            #expect(try await hub.ask(.get, "/streams", nil, ["Authorization": "Bearer x"]).status == .unauthorized)
        }
        for _ in 0..<40 {
            #expect(try await hub.ask(.get, "/streams", nil, ["Authorization": "Bearer x"]).status == .tooManyRequests)
            #expect(try await hub.ask(.get, "/streams", nil, ["Authorization": "Bearer \(Self.token)"]).status == .ok)
        }
    }

    /// Browsers send a cookie to all ports of a host.
    @Test func hubsOnOneHostHaveCookiesOfTheirOwn() async throws {
        let hub = try await hub()
        try await Application(router: hub.routes.router()).test(.live) { client in
            let port = client.port ?? 0
            let login = #"{"token": "\#(Self.token)"}"#
            let answer = try await Exchange.answer(
                port,
                "POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(login.utf8.count)\r\n\r\n\(login)"
            )
            #expect(answer.status == 204)
            let cookie = try #require(answer.field("Set-Cookie")?.split(separator: ";").first)
            #expect(cookie.hasPrefix("sluice_session_\(port)="))
            let id = cookie.drop { $0 != "=" }.dropFirst()
            for (name, status) in [("sluice_session_\(port)", 200), ("sluice_session_\(port + 1)", 401)] {
                let head = "GET /streams HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(name)=\(id)\r\n\r\n"
                #expect(try await Exchange.answer(port, head).status == status, "\(name)")
            }
        }
    }

    @Test func addressesThatFailedAreBounded() {
        var limiter = FailureLimiter(interval: 10, burst: 2)
        for number in 0..<3000 { limiter.fail("\(number)", at: 0) }
        #expect(limiter.wait("2999", at: 0) == 0)
        limiter.fail("2999", at: 0)
        #expect(limiter.wait("2999", at: 0) == 10)
        #expect(limiter.wait("2999", at: 10) == 0)
    }

    @Test(arguments: ["", "[]", "{}", #"{"token": 1}"#, #"{"token": null}"#, "no JSON"])
    func whatIsNoLoginIsRefused(_ body: String) async throws {
        #expect(try await hub().ask(.post, "/session", body).status == .unprocessableContent)
    }

    @Test func withoutATokenThereIsNothingToLogInFor() async throws {
        let hub = try await Hub()
        #expect(try await logIn(hub, "x").status == .notFound)
        #expect(try await hub.ask(.get, "/streams", nil, ["Authorization": "Bearer x"]).status == .ok)
    }

    /// A token that can be guessed is refused where others can reach the hub, directly or through a proxy.
    @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "example.com", "", "127.0.0.1"])
    func aHubThatOthersReachNeedsALongToken(_ host: String) async throws {
        var settings = HubSettings()
        settings.token = String(repeating: "a", count: 15)
        if host == "127.0.0.1" { settings.proxies = [try ProxyAddress("127.0.0.1")] }
        let server = HubServer(store: MemoryStreamStore(), host: host, port: 0, settings: settings)
        await #expect(throws: HubError.shortToken) {
            try await server.run { _ in Issue.record("it listens on \(host)") }
        }
        settings.token = String(repeating: "a", count: 16)
        try settings.checkToken(host: host)
        settings.token = "a"
        settings.proxies = []
        for loopback in HubServer.loopback { try settings.checkToken(host: loopback) }
    }

    @Test func aTokenThatTheHubMakesCannotBeGuessed() {
        let tokens = (0..<100).map { _ in HubSettings.makeToken() }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "example.com", ""])
    func aHubThatOthersReachNeedsAToken(_ host: String) async throws {
        for token in [nil, ""] {
            var settings = HubSettings()
            settings.token = token
            let server = HubServer(store: MemoryStreamStore(), host: host, port: 0, settings: settings)
            let error = await #expect(throws: HubError.self) {
                try await server.run { _ in Issue.record("it listens on \(host)") }
            }
            #expect(error == .notLoopback(host))
            #expect(
                error?.description
                    == "'\(host)' is not an address of loopback (127.0.0.1, ::1, localhost): a hub that others reach "
                    + "needs a token (--token, or SLUICE_TOKEN in the environment)"
            )
        }
    }
}
#endif
