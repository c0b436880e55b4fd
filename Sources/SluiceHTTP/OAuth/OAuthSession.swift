#if HTTP
import Foundation
import Sluice
import SluiceFilters

/// The tokens of one user or client, which are got and refreshed by one request at a time.
final class OAuthSession: Sendable {
    private let client: OAuthClient
    private let store: any OAuthTokenStore
    private let clock: WallClock
    private let leeway: Duration
    /// A closure that gets tokens without a refresh token.
    private let login: @Sendable (OAuthClient) async throws -> OAuthToken
    /// Callers that need a token in place of the same one wait for one request; the key is the token to replace.
    private let renewals: SingleFlightFilter<String, String>

    init(
        _ client: OAuthClient,
        _ store: any OAuthTokenStore,
        _ clock: WallClock,
        leeway: Duration,
        login: @escaping @Sendable (OAuthClient) async throws -> OAuthToken
    ) {
        self.client = client
        self.store = store
        self.clock = clock
        self.leeway = leeway
        self.login = login
        renewals = SingleFlightFilter()
    }

    /// Returns a token that is still valid, and gets one if necessary.
    nonisolated(nonsending) func token() async throws -> String {
        guard let stored = try await store.load() else { return try await renew("") }
        if isFresh(stored) { return stored.accessToken }
        return try await renew(stored.accessToken)
    }

    /// Gets a new token, since the stored one was refused.
    nonisolated(nonsending) func refresh() async throws {
        _ = try await renew(try await store.load()?.accessToken ?? "")
    }

    nonisolated(nonsending) private func renew(_ stale: String) async throws -> String {
        try await renewals.process(
            stale,
            next: AnyNode("OAuthSession") { [self] stale in try await replace(stale).accessToken }
        )
    }

    /// Returns the token that takes the place of another.
    nonisolated(nonsending) private func replace(_ stale: String) async throws -> OAuthToken {
        let stored = try await store.load()
        // Another caller, or another process with the same store, has replaced it meanwhile.
        if let stored, stored.accessToken != stale, isFresh(stored) { return stored }
        if let old = stored?.refreshToken {
            do {
                var token = try await client.token(
                    ["grant_type": "refresh_token", "refresh_token": old].merging(client.scope) { $1 },
                    at: clock.now
                )
                token.refreshToken = token.refreshToken ?? old
                try await store.save(token)
                return token
            } catch let error as OAuthError where error.code == "invalid_grant" {
                // The refresh token has expired or was revoked.
                try await store.save(nil)
            }
        }
        let token = try await login(client)
        try await store.save(token)
        return token
    }

    private func isFresh(_ token: OAuthToken) -> Bool {
        token.expires.map { $0.timeIntervalSince(clock.now) > leeway.inSeconds } ?? true
    }
}
#endif
