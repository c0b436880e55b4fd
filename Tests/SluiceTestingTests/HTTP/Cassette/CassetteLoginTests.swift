#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import SluiceTestSupport
import SluiceTesting
import Testing

/// A login with an authorization code that is recorded and played.
@Suite struct CassetteLoginTests {
    private static let code = "the-secret-code"

    private func client(_ transport: AnyNode<TransportRequest, TransportResponse>) throws -> OAuthClient {
        OAuthClient(
            "app",
            tokenEndpoint: try #require(URL(string: "https://login.example.com/token")),
            authorizationEndpoint: try #require(URL(string: "https://login.example.com/authorize")),
            redirect: try #require(URL(string: "https://app.example.com/callback")),
            transport: transport
        )
    }

    /// Opens the address of a login, follows the redirect to the program, and gets tokens.
    private func logIn(
        _ client: OAuthClient,
        browsing browser: AnyNode<TransportRequest, TransportResponse>
    ) async throws -> OAuthToken {
        let login = try OAuthAuthorization(client)
        let items = URLComponents(url: login.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        let state = try #require(items.first { $0.name == "state" }?.value)
        let callback = "https://app.example.com/callback?code=\(Self.code)&state=\(state)"
        _ = try await browser.process(TransportRequest(.get, try #require(URL(string: callback))))
        return try await login.token(for: try #require(URL(string: callback)))
    }

    @Test func neitherTheCodeNorTheVerifierIsInTheFile() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "login.json")
        let server = StubTransport()
        let tokens = server.stub(
            .post,
            "/token",
            .json(["access_token": "the-access-token", "refresh_token": "the-refresh-token", "expires_in": 60])
        )
        server.stub(.get, "/callback", .text("welcome"))
        let ignoring: RequestMatching = {
            var matching = RequestMatching()
            matching.ignoredQueryItems = ["state"]
            return matching
        }()
        let recorder = AnyNode(try Cassette(path, matching: ignoring).andThen(server))
        #expect(try await logIn(try client(recorder), browsing: recorder).accessToken == "the-access-token")

        let sent = String(decoding: tokens.requests.first?.body?.bytes ?? [], as: UTF8.self)
        let verifier = try #require(sent.split(separator: "&").first { $0.hasPrefix("code_verifier=") }).dropFirst(14)
        #expect(sent.contains(Self.code))
        let file = try String(contentsOfFile: path, encoding: .utf8)
        #expect(file.contains("code_verifier"))
        #expect(!file.contains(Self.code))
        #expect(!file.contains(verifier))
        #expect(!file.contains("the-refresh-token"))

        // Another login has another verifier, and is found on the cassette.
        let player = try Cassette(path, mode: .replay, matching: ignoring)
        let played = try await logIn(try client(player.transport), browsing: player.transport)
        #expect(played.accessToken == "REDACTED" && played.expires != nil)
        #expect(player.unplayed.isEmpty)
    }
}
#endif
