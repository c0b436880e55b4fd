#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests of the answers of authorization servers, and of the requests to them, without a network.
@Suite struct OAuthAnswerTests {
    private func client(_ server: Stub, _ endpoint: String = "https://login.example.com/token") throws -> OAuthClient {
        OAuthClient("a b", secret: "c:d", tokenEndpoint: try .of(endpoint), transport: server.node)
    }

    /// Returns the header field that a resource gets.
    private func sent(_ filter: OAuthFilter) async throws -> String? {
        let resource = Stub(.of(200))
        _ = try await filter.andThen(resource.node).process(.get())
        return resource.requests.first?.headers[.authorization]
    }

    @Test func theRequest() async throws {
        let server = Stub(.of(200, [:], #"{"access_token": "t", "token_type": "bearer", "expires_in": "60"}"#))
        var client = try client(server)
        client.scopes = ["a", "b"]
        client.parameters = ["audience": "https://api.example.com/"]
        #expect(try await sent(.clientCredentials(client)) == "Bearer t")
        let request = try #require(server.requests.first)
        #expect(request.method == .post)
        #expect(request.headers[.authorization] == "Basic " + Data("a%20b:c%3Ad".utf8).base64EncodedString())
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(
            request.body?.bytes.map { String(decoding: $0, as: UTF8.self) }
                == "audience=https%3A%2F%2Fapi.example.com%2F&grant_type=client_credentials&scope=a%20b"
        )
        // The key of the call is not that of the request for its token.
        var context = CallContext.current
        context.idempotencyKey = "k"
        let keys = Stub { _, _ in
            .of(200, [:], #"{"access_token": "\#(CallContext.current.idempotencyKey ?? "none")"}"#)
        }
        let filter = OAuthFilter.clientCredentials(try self.client(keys))
        #expect(try await withCallContext(context) { try await sent(filter) } == "Bearer none")
    }

    @Test(arguments: [
        (200, "{}", OAuthError.invalidResponse), (200, "", OAuthError.invalidResponse),
        (200, #"{"access_token": ""}"#, OAuthError.invalidResponse),
        (200, #"{"access_token": "t", "token_type": "mac"}"#, OAuthError.invalidResponse),
        (400, #"{"error": "invalid_scope", "error_description": "no such scope"}"#, "invalid_scope"),
        (401, #"{"error": "invalid_client"}"#, "invalid_client"),
    ])
    func refusals(_ status: Int, _ body: String, _ code: String) async throws {
        let server = Stub(.of(status, [:], body))
        let retried = RetryFilter<TransportRequest, TransportResponse>.http(maxAttempts: 3)
            .andThen(OAuthFilter.clientCredentials(try client(server))).andThen(Stub(.of(200)).node)
        let error = await #expect(throws: OAuthError.self) { try await retried.process(.get()) }
        #expect(error?.code == code)
        #expect(server.requests.count == 1)
    }

    /// A failure of the server is an error of HTTP, which shows no secret.
    @Test(arguments: [(503, ""), (400, "no JSON"), (302, "")]) func otherStatuses(_ status: Int, _ body: String)
        async throws
    {
        let filter = OAuthFilter.clientCredentials(try client(Stub(.of(status, [:], body))))
        let error = await #expect(throws: HTTPError.self) { try await sent(filter) }
        #expect(error?.code == .badStatus)
        #expect(error?.message == "the authorization server answered \(status)")
        #expect(error?.request == nil)
    }

    /// The failures of a transport, whose errors have the request.
    enum Failure: CaseIterable, Sendable {
        case unreachable, timedOut, wrapped, tooLong, badStatus

        func answer(_ request: TransportRequest) throws -> TransportResponse {
            let error = HTTPError(.unreachable, "no connection", request: request, isUnsent: true)
            switch self {
            case .unreachable: throw error
            case .timedOut: throw HTTPError(.timedOut, "no answer", request: request, timeout: .idle)
            case .wrapped: throw HTTPError(.failed, "not sent", request: request, cause: error)
            case .tooLong:
                return .streamed(200, [:], [String](repeating: String(repeating: "a", count: 1 << 19), count: 3))
            case .badStatus: return .of(503)
            }
        }
    }

    /// No error of a request for tokens has the request, in which everything is secret.
    @Test(arguments: Failure.allCases, [OAuthClient.Authentication.basic, .body])
    func errorsHaveNoSecrets(_ failure: Failure, _ authentication: OAuthClient.Authentication) async throws {
        var client = try client(Stub { request, _ in try failure.answer(request) })
        client.authentication = authentication
        let stored = OAuthToken("old-access", expires: Date(timeIntervalSince1970: 0), refreshToken: "old-refresh")
        let filter = OAuthFilter.refreshing(client, store: OAuthMemoryStore(stored))
        let thrown = await #expect(throws: HTTPError.self) { try await sent(filter) }
        let error = try #require(thrown)
        #expect(error.request == nil)
        var text = ""
        dump(error, to: &text)
        for secret in ["c:d", "c%3Ad", Data("a%20b:c%3Ad".utf8).base64EncodedString(), "old-refresh"] {
            #expect(!text.contains(secret))
        }
        if failure == .unreachable {
            #expect(error.code == .unreachable && error.isUnsent)
            #expect("\(error)" == "POST https://login.example.com/token: no connection")
        }
        if failure == .timedOut { #expect(error.code == .timedOut && error.timeout == .idle) }
        if failure == .tooLong { #expect(error.code == .bodyTooLarge) }
    }

    /// A real transport notes in its answers what it has sent.
    @Test func anAnswerHasNoSecrets() async throws {
        let server = try OriginServer { _, _ in .of(503) }
        let client = OAuthClient("a b", secret: "c:d", tokenEndpoint: try server.url("/token"))
        let thrown = await #expect(throws: HTTPError.self) { try await sent(.clientCredentials(client)) }
        let error = try #require(thrown)
        #expect(error.response?.status.code == 503)
        var text = ""
        dump(error, to: &text)
        #expect(!text.contains(Data("a%20b:c%3Ad".utf8).base64EncodedString()))
    }

    @Test func secretsAreSentOverTLSOnly() async throws {
        for endpoint in ["http://login.example.com/token", "ftp://localhost/x"] {
            let server = Stub(.of(200, [:], #"{"access_token": "t"}"#))
            let filter = OAuthFilter.clientCredentials(try client(server, endpoint))
            let error = await #expect(throws: OAuthError.self) { try await sent(filter) }
            #expect(error?.code == OAuthError.insecureEndpoint)
            #expect(server.requests.isEmpty)
        }
        let local = try client(Stub(.of(200, [:], #"{"access_token": "t"}"#)), "http://127.0.0.1:8080/token")
        #expect(try await sent(.clientCredentials(local)) == "Bearer t")
        var login = local
        login.redirect = try .of("app://callback")
        #expect(throws: OAuthError.self) { try OAuthAuthorization(login) }
        login.authorizationEndpoint = try .of("http://login.example.com/authorize")
        let error = #expect(throws: OAuthError.self) { try OAuthAuthorization(login) }
        #expect(error?.code == OAuthError.insecureEndpoint)
    }

    @Test func answersToALogin() async throws {
        var client = try client(Stub(.of(200, [:], #"{"access_token": "t"}"#)))
        client.authorizationEndpoint = try .of("https://login.example.com/authorize?tenant=1")
        client.redirect = try .of("app://callback")
        client.issuer = "https://login.example.com"
        let login = try OAuthAuthorization(client)
        let items = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: true)?.queryItems)
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        #expect(value("tenant") == "1" && value("response_type") == "code" && value("redirect_uri") == "app://callback")
        #expect(value("code_challenge")?.count == 43 && value("scope") == nil)
        let state = try #require(value("state"))
        #expect(try OAuthAuthorization(client).url != login.url)
        let iss = "iss=https%3A%2F%2Flogin.example.com"
        for (query, code) in [
            ("code=c", OAuthError.wrongState), ("code=c&state=x&\(iss)", OAuthError.wrongState),
            ("code=c&state=\(state)", OAuthError.wrongState),
            ("code=c&state=\(state)&iss=https%3A%2F%2Fevil.example.com", OAuthError.wrongState),
            ("error=access_denied&error_description=no&state=\(state)&\(iss)", "access_denied"),
            ("state=\(state)&\(iss)", OAuthError.invalidResponse),
            ("code=&state=\(state)&\(iss)", OAuthError.invalidResponse),
        ] {
            let answer = try URL.of("app://callback?\(query)")
            let error = await #expect(throws: OAuthError.self) { try await login.token(for: answer) }
            #expect(error?.code == code, "\(query)")
        }
        #expect(try await login.token(for: try .of("app://callback?code=c&state=\(state)&\(iss)")).accessToken == "t")
    }

    /// A canceled caller stops waiting; the request for the token continues for the other one.
    @Test func aCanceledCaller() async throws {
        let began = AsyncStream<Void>.makeStream()
        let gate = AsyncStream<Void>.makeStream()
        let server = Stub { _, _ in
            began.continuation.yield()
            for await _ in gate.stream { break }
            return .of(200, [:], #"{"access_token": "t"}"#)
        }
        let filter = OAuthFilter.clientCredentials(try client(server))
        let first = Task { try await sent(filter) }
        for await _ in began.stream { break }
        let second = Task { try await sent(filter) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.continuation.yield()
        gate.continuation.yield()
        #expect(try await second.value == "Bearer t")
    }
}
#endif
