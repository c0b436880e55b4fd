#if HTTP
public import Foundation
import SluiceFilters

/// A login of a user at an authorization server: an authorization code with a proof key (RFC 6749, 4.1; RFC 7636).
///
/// ```swift
/// let client = OAuthClient(
///     "app", tokenEndpoint: URL(string: "https://login.example.com/token")!,
///     authorizationEndpoint: URL(string: "https://login.example.com/authorize")!,
///     redirect: URL(string: "app://callback")!
/// )
/// let login = try OAuthAuthorization(client)
/// print(login.url)  // open it in a browser, which comes back to app://callback?code=…&state=…
/// let answer = URL(string: "app://callback?code=c&state=s")!
/// let token = try await login.token(for: answer)
/// ```
///
/// Each value is for one login: it has a state and a proof key of its own.
public struct OAuthAuthorization: Sendable {
    private let client: OAuthClient
    private let redirect: URL
    private let state: String
    private let verifier: String
    private let clock: WallClock

    /// The address that the user's browser has to open.
    public let url: URL

    /// Prepares a login.
    ///
    /// - Throws: ``OAuthError`` when the client has no authorization endpoint or no redirect, or the endpoint is neither
    ///   `https` nor on loopback.
    public init(_ client: OAuthClient, wallClock: WallClock = .system) throws(OAuthError) {
        guard let endpoint = client.authorizationEndpoint, let redirect = client.redirect else {
            throw OAuthError(OAuthError.loginRequired, "the client needs an authorization endpoint and a redirect")
        }
        guard OAuthClient.isSecret(endpoint) else {
            throw OAuthError(OAuthError.insecureEndpoint, "\(endpoint) must be an https address")
        }
        self.client = client
        self.redirect = redirect
        clock = wallClock
        state = Self.random(16)
        verifier = Self.random(32)
        var fields = client.scope
        fields["response_type"] = "code"
        fields["client_id"] = client.id
        fields["redirect_uri"] = redirect.absoluteString
        fields["state"] = state
        fields["code_challenge"] = Self.text(SHA256.hash(Array(verifier.utf8)))
        fields["code_challenge_method"] = "S256"
        do { url = try endpoint.appending(query: fields, encoder: URLEncodedFormEncoder()) } catch {
            throw OAuthError(OAuthError.invalidResponse, "\(endpoint) is not an address: \(error)")
        }
    }

    /// Returns the tokens for the address to which the browser came back.
    ///
    /// - Throws: ``OAuthError`` when the user or the server refused, or when the address doesn't belong to this login;
    ///   ``HTTPError`` when the server can't be reached; `CancellationError`.
    nonisolated(nonsending) public func token(for answer: URL) async throws -> OAuthToken {
        var grant = [
            "grant_type": "authorization_code", "code": try code(in: answer),
            "redirect_uri": redirect.absoluteString, "code_verifier": verifier,
        ]
        // A public client says who it is in the body.
        if client.secret == nil { grant["client_id"] = client.id }
        return try await client.token(grant, at: clock.now)
    }

    /// Returns the code in the address to which the browser came back.
    private func code(in answer: URL) throws(OAuthError) -> String {
        let items = URLComponents(url: answer, resolvingAgainstBaseURL: true)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard value("state") == state else {
            throw OAuthError(OAuthError.wrongState, "the answer belongs to another login")
        }
        if let issuer = client.issuer, value("iss") != issuer {
            throw OAuthError(OAuthError.wrongState, "the answer is not from \(issuer)")
        }
        if let error = value("error") { throw OAuthError(error, value("error_description")) }
        guard let code = value("code"), !code.isEmpty else {
            throw OAuthError(OAuthError.invalidResponse, "the answer has no code")
        }
        return code
    }

    /// Returns unpredictable bytes as text.
    private static func random(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return text((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Returns bytes in base64 for URLs, without padding.
    private static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
#endif
