#if HTTP
public import Foundation
import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that gets access tokens from an authorization server, adds them to requests, and refreshes them (RFC 6749,
/// 6750, 7636).
///
/// ```swift
/// let client = OAuthClient(
///     "warehouse", secret: "s3cret", tokenEndpoint: URL(string: "https://login.example.com/token")!
/// )
/// let stock: RequestChain<Void, [String]> = URLChainBuilder<String>()
///     .set(.token, OAuthFilter.clientCredentials(client))
///     .route(.get, "https://api.example.com/stock").build()
/// ```
///
/// A token is requested when the first call needs one, and again shortly before it expires, or when a server refuses it
/// with 401: with the refresh token if there is one, otherwise as at first. All calls wait for one such request, which
/// runs to its end even if they are canceled. A refused call is repeated once with the new token, unless its body can be
/// sent only once.
///
/// Like a ``BearerFilter``, it adds the token only to requests to one origin, and is a stage per hop, outside the cache and
/// the single flight.
public struct OAuthFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let bearer: BearerFilter

    private init(_ session: OAuthSession, _ origin: URL?, _ clock: any Clock<Duration>) {
        bearer = BearerFilter(
            for: origin,
            token: { try await session.token() },
            replace: { try await session.replace($0) },
            clock: clock
        )
    }

    /// Makes a filter for a program that acts for itself: the client credentials grant (RFC 6749, 4.4).
    ///
    /// - Parameters:
    ///   - client: the program, with its secret.
    ///   - origin: an address of the server that the token is for; `nil`, the default, is the server of the call's first
    ///     request.
    ///   - store: the store of the token; a token that it has is used until it expires.
    ///   - leeway: the time before the token expires at which a new one is requested; 30 seconds by default.
    ///   - wallClock: the clock that tells whether a token has expired.
    ///   - clock: the clock that limits the number of refreshes (see ``BearerFilter``), and of waits for other processes.
    public static func clientCredentials(
        _ client: OAuthClient,
        for origin: URL? = nil,
        store: some OAuthTokenStore = OAuthMemoryStore(),
        leeway: Duration = .seconds(30),
        wallClock: WallClock = .system,
        clock: any Clock<Duration> = .continuous
    ) -> OAuthFilter {
        let session = OAuthSession(client, store, wallClock, clock, leeway: leeway) { client in
            return {
                try await client.token(
                    ["grant_type": "client_credentials"].merging(client.scope) { $1 },
                    at: wallClock.now
                )
            }
        }
        return OAuthFilter(session, origin, clock)
    }

    /// Makes a filter for a user who logs in with a browser: an authorization code with a proof key (RFC 7636), and then
    /// the refresh tokens that the server issues.
    ///
    /// ```swift
    /// let client = OAuthClient(
    ///     "app", tokenEndpoint: URL(string: "https://login.example.com/token")!,
    ///     authorizationEndpoint: URL(string: "https://login.example.com/authorize")!,
    ///     redirect: URL(string: "http://127.0.0.1:8765/callback")!, scopes: ["profile"]
    /// )
    /// let filter = OAuthFilter.authorizationCode(client) { url in
    ///     print("Open \(url), and paste the address to which it leads:")
    ///     return URL(string: readLine() ?? "") ?? url
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - client: the program, with its authorization endpoint and its redirect.
    ///   - origin: an address of the server that the token is for; `nil`, the default, is the server of the call's first
    ///     request.
    ///   - store: the store of the user's tokens, which outlives the process if the user shall not log in again.
    ///   - leeway: the time before the token expires at which a new one is requested; 30 seconds by default.
    ///   - wallClock: the clock that tells whether a token has expired.
    ///   - clock: the clock that limits the number of refreshes (see ``BearerFilter``), and of waits for other processes.
    ///   - logIn: a closure that lets the user log in at an address, and returns the address to which the browser came
    ///     back; called when there is no token, or the refresh token is no longer valid. One call at a time waits for the
    ///     user, in a task of its own. Its error is the error of the waiting calls.
    public static func authorizationCode(
        _ client: OAuthClient,
        for origin: URL? = nil,
        store: some OAuthTokenStore = OAuthMemoryStore(),
        leeway: Duration = .seconds(30),
        wallClock: WallClock = .system,
        clock: any Clock<Duration> = .continuous,
        logIn: @escaping @Sendable (URL) async throws -> URL
    ) -> OAuthFilter {
        let session = OAuthSession(client, store, wallClock, clock, leeway: leeway) { client in
            let authorization = try OAuthAuthorization(client, wallClock: wallClock)
            let answer = try await logIn(authorization.url)
            return { try await authorization.token(for: answer) }
        }
        return OAuthFilter(session, origin, clock)
    }

    /// Makes a filter for tokens that the program already has: it refreshes them, and fails with the code `login_required`
    /// when there is no valid refresh token.
    ///
    /// - Parameters:
    ///   - client: the program.
    ///   - store: the store of the tokens.
    ///   - origin: an address of the server that the token is for; `nil`, the default, is the server of the call's first
    ///     request.
    ///   - leeway: the time before the token expires at which a new one is requested; 30 seconds by default.
    ///   - wallClock: the clock that tells whether a token has expired.
    ///   - clock: the clock that limits the number of refreshes (see ``BearerFilter``), and of waits for other processes.
    public static func refreshing(
        _ client: OAuthClient,
        store: some OAuthTokenStore,
        for origin: URL? = nil,
        leeway: Duration = .seconds(30),
        wallClock: WallClock = .system,
        clock: any Clock<Duration> = .continuous
    ) -> OAuthFilter {
        let session = OAuthSession(client, store, wallClock, clock, leeway: leeway) { _ in
            throw OAuthError(OAuthError.loginRequired, "there is no valid refresh token")
        }
        return OAuthFilter(session, origin, clock)
    }

    /// Calls `next` with an access token, and once more after a refresh if it was refused.
    ///
    /// - Throws: ``OAuthError`` when the authorization server refuses, before `next` is called; ``HTTPError`` when it can't
    ///   be reached; the error of `next`; ``SluiceFilters/ExcessiveRefreshError``.
    /// - Cancellation: cancels the running call, or stops waiting for a token. A request for tokens that has begun runs to
    ///   its end, for at most a minute, and its tokens are stored, since the server may have invalidated the old ones.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        try await bearer.process(request, next: next)
    }

    /// The description `OAuthFilter`.
    public var description: String { "OAuthFilter" }
}

extension OAuthFilter: ChainStage {
    /// The declaration: per hop; adds Authorization.
    public var declaration: StageDeclaration { StageDeclaration(.hop, adds: .named([.authorization])) }
    /// The role ``StackRole/credentials``.
    public var stackRole: StackRole { .credentials }
}
#endif
