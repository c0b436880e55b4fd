#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTesting
import Testing

/// A real authorization server with a protected resource, made of Authlib and started by `bin/test`.
enum AuthorizationServer {
    private static let address = ProcessInfo.processInfo.environment["SLUICE_OAUTH"]
    static var isThere: Bool { address?.isEmpty == false }

    static func url(_ path: String) throws -> URL { try .of((address ?? "") + path) }

    /// Returns the number of tokens by grant, and of calls by status.
    static func counts() async throws -> [String: Int] { try await HTTP.get(url("/counts"), as: [String: Int].self) }

    /// Makes every access or refresh token invalid.
    static func forget(_ kind: String) async throws { try await HTTP.post(url("/forget?kind=\(kind)"), [String]()) }

    static let redirect = "http://127.0.0.1:1/callback"

    /// A program with a secret.
    static func robot(_ secret: String = "s3cret: /+&") throws -> OAuthClient {
        OAuthClient("robot", secret: secret, tokenEndpoint: try url("/token"), scopes: ["read"])
    }

    /// An app without a secret.
    static func app(scopes: [String] = ["read", "write"]) throws -> OAuthClient {
        OAuthClient(
            "app",
            tokenEndpoint: try url("/token"),
            authorizationEndpoint: try url("/authorize"),
            redirect: try .of(redirect),
            scopes: scopes
        )
    }

    /// Opens the address of a login as a browser does, and returns the address to which the browser is sent.
    static func browse(_ url: URL) async throws -> URL {
        let response = try await HTTPTransport().process(TransportRequest(.get, url))
        let text = try await response.text()
        return try .of(try #require(response.headers[.location], "\(text)"))
    }
}

private struct Account: Codable, Sendable, Equatable {
    var user: String?
    var client: String
    var scope: String
}

/// Tests of the OAuth filters against a real authorization server. They run one after the other, since they count what
/// it has issued.
@Suite(.serialized, .enabled(if: AuthorizationServer.isThere, "the authorization server is not there; see bin/test"))
struct OAuthServerTests {
    typealias Server = AuthorizationServer

    private func chain(_ filter: OAuthFilter) throws -> RequestChain<Void, Account> {
        URLChainBuilder<URL>().set(.token, filter).route(.get, try Server.url("/me")).build()
    }

    /// Returns what the server has counted during `body`.
    private func counting(_ body: () async throws -> Void) async throws -> [String: Int] {
        let before = try await Server.counts()
        try await body()
        return try await Server.counts().merging(before) { $0 - $1 }.filter { $0.value != 0 }
    }

    private static let robot = Account(client: "robot", scope: "read")
    private static let ada = Account(user: "ada", client: "app", scope: "read write")

    // MARK: - Client credentials

    /// The secret has every character that a form or a header field would change.
    @Test(arguments: [OAuthClient.Authentication.basic, .body])
    func clientCredentials(_ authentication: OAuthClient.Authentication) async throws {
        var client = try Server.robot()
        client.authentication = authentication
        let chain = try chain(.clientCredentials(client))
        #expect(chain.description == "json → status → redirects → token → body → transport")
        let counts = try await counting { () async throws in
            for _ in 1...3 { #expect(try await chain.process() == Self.robot) }
        }
        #expect(counts == ["client_credentials": 1, "me 200": 3])
    }

    /// All calls wait for one token, at first and when it is refused.
    @Test func concurrentCalls() async throws {
        let chain = try chain(.clientCredentials(try Server.robot()))
        for round in 1...2 {
            let counts = try await counting { () async throws in
                try await withThrowingTaskGroup { group in
                    for _ in 1...20 { group.addTask { try await chain.process() } }
                    for try await account in group { #expect(account == Self.robot) }
                }
            }
            #expect(counts["client_credentials"] == 1)
            #expect(counts["me 200"] == 20)
            if round == 1 { #expect(counts["me 401"] == nil) }
            try await Server.forget("access")
        }
    }

    /// A token is replaced before it expires, without a refusal.
    @Test func expiry() async throws {
        let time = Locked(Date(timeIntervalSince1970: 1_000_000))
        let chain = try chain(
            .clientCredentials(try Server.robot(), leeway: .seconds(60), wallClock: WallClock { time.withLock { $0 } })
        )
        _ = try await chain.process()
        // Authlib's tokens of this grant live for ten days.
        for (seconds, isNew) in [(863_900.0, false), (39, false), (2, true), (1, false)] {
            time.withLock { $0 += seconds }
            let counts = try await counting { () async throws in _ = try await chain.process() }
            #expect(counts == (isNew ? ["client_credentials": 1, "me 200": 1] : ["me 200": 1]))
        }
    }

    @Test func aWrongSecret() async throws {
        let chain = try chain(.clientCredentials(try Server.robot("wrong")))
        let counts = try await counting { () async throws in
            let error = await #expect(throws: OAuthError.self) { try await chain.process() }
            #expect(error?.code == "invalid_client")
        }
        // Nothing was sent to the resource.
        #expect(counts == [:])
    }

    /// Only the server that the token is for gets it.
    @Test func anotherOrigin() async throws {
        let other = Stub { request, _ in .of(request.headers[.authorization] == nil ? 200 : 500) }
        let filter = OAuthFilter.clientCredentials(try Server.robot(), for: try Server.url("/"))
        let response = try await filter.andThen(other.node).process(.get("https://other.example.com/"))
        #expect(response.status == .ok)
    }

    // MARK: - Authorization code

    @Test func authorizationCode() async throws {
        let logins = Locked(0)
        let store = OAuthMemoryStore()
        let filter = OAuthFilter.authorizationCode(try Server.app(), store: store) { url in
            logins.withLock { $0 += 1 }
            let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            #expect(query.first { $0.name == "code_challenge_method" }?.value == "S256")
            return try await Server.browse(url)
        }
        let chain = try chain(filter)
        var counts = try await counting { () async throws in
            async let one = chain.process()
            async let other = chain.process()
            #expect(try await [one, other] == [Self.ada, Self.ada])
        }
        #expect(counts == ["authorization_code": 1, "me 200": 2])
        #expect(logins.withLock { $0 } == 1)
        let first = try #require(await store.load())
        #expect(first.refreshToken != nil && first.expires != nil && first.scope == "read write")

        // A refused token is refreshed, and the server's new refresh token is kept.
        try await Server.forget("access")
        counts = try await counting { () async throws in #expect(try await chain.process() == Self.ada) }
        #expect(counts == ["refresh_token": 1, "me 401": 1, "me 200": 1])
        let second = try #require(await store.load())
        #expect(second.accessToken != first.accessToken && second.refreshToken != first.refreshToken)

        // The user logs in again when the refresh token is refused too.
        try await Server.forget("access")
        try await Server.forget("refresh")
        counts = try await counting { () async throws in #expect(try await chain.process() == Self.ada) }
        #expect(counts == ["authorization_code": 1, "me 401": 1, "me 200": 1])
        #expect(logins.withLock { $0 } == 2)

        // A program that has only the stored tokens refreshes them, and can't log in.
        let stored = try self.chain(.refreshing(try Server.app(), store: store))
        try await Server.forget("access")
        #expect(try await stored.process() == Self.ada)
        try await Server.forget("access")
        try await Server.forget("refresh")
        let error = await #expect(throws: OAuthError.self) { try await stored.process() }
        #expect(error?.code == OAuthError.loginRequired)
        #expect(await store.load() == nil)
    }

    /// A code is worth nothing without the proof key of the login that requested it.
    @Test func aStolenCode() async throws {
        let victim = try OAuthAuthorization(try Server.app())
        let answer = try await Server.browse(victim.url)
        let thief = try OAuthAuthorization(try Server.app())
        let error = await #expect(throws: OAuthError.self) { try await thief.token(for: answer) }
        #expect(error?.code == OAuthError.wrongState)
        // With the state of the thief's own login, the server refuses the code.
        let own = URLComponents(url: thief.url, resolvingAgainstBaseURL: true)?.queryItems?.first { $0.name == "state" }
        var forged = try #require(URLComponents(url: answer, resolvingAgainstBaseURL: true))
        forged.queryItems = forged.queryItems?.map { $0.name == "state" ? own ?? $0 : $0 }
        let address = try #require(forged.url)
        let refusal = await #expect(throws: OAuthError.self) { try await thief.token(for: address) }
        #expect(refusal?.code == "invalid_grant")
        // It is worth something to the victim, once.
        #expect(try await victim.token(for: answer).accessToken.isEmpty == false)
        let second = await #expect(throws: OAuthError.self) { try await victim.token(for: answer) }
        #expect(second?.code == "invalid_grant")
    }

    @Test func aUserWhoRefuses() async throws {
        let filter = OAuthFilter.authorizationCode(try Server.app(scopes: ["read", "refused"])) {
            try await Server.browse($0)
        }
        let error = await #expect(throws: OAuthError.self) { try await chain(filter).process() }
        #expect(["access_denied", "invalid_scope"].contains(error?.code))
    }

    /// The cache and the single flight keep the users of two sessions apart.
    @Test func twoUsersAndACache() async throws {
        let origin = try OriginServer { request, _ in
            .of(200, [.cacheControl: "private, max-age=3600"], request["Authorization"] ?? "nobody")
        }
        let cache = HTTPCache()
        func answer(_ token: String) async throws -> String {
            let filter = OAuthFilter.refreshing(try Server.app(), store: OAuthMemoryStore(OAuthToken(token)))
            let chain = URLChainBuilder<URL>().set(.token, filter).set(.cache, CacheFilter(cache))
                .set(.deduplication, CoalescingFilter()).plain(try origin.url())
            return try await chain.process().text()
        }
        #expect(try await answer("ada") == "Bearer ada")
        #expect(try await answer("bob") == "Bearer bob")
        #expect(try await answer("ada") == "Bearer ada")
        #expect(origin.requests.count == 2)
    }
}
#endif
