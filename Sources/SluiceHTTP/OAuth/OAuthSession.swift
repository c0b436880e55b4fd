#if HTTP
import Foundation
import Sluice
import SluiceFilters

/// The tokens of one user or client, which are got and refreshed by one request at a time.
///
/// A server that rotates refresh tokens invalidates the old one when it answers. A request that has begun therefore runs
/// to its end, and its tokens are stored, even if every call that needs them was canceled; the calls only stop waiting.
final class OAuthSession: Sendable {
    /// A closure that lets a user or client log in, as far as that can be canceled, and returns the request for tokens.
    typealias Login = @Sendable (OAuthClient) async throws -> @Sendable () async throws -> OAuthToken

    private let client: OAuthClient
    private let store: any OAuthTokenStore
    private let clock: WallClock
    /// The clock of the waits for other processes.
    private let timer: any Clock<Duration>
    private let leeway: Duration
    private let login: Login
    /// The calls that need a token in place of the same one wait for one renewal; the key is the token to replace.
    private let renewals = SingleFlightFilter<String, String>()
    /// The renewals that need a login wait for one.
    private let logins = SingleFlightFilter<String, String>(key: { _ -> Int? in 0 })
    private let requests = OAuthRequests()

    init(
        _ client: OAuthClient,
        _ store: any OAuthTokenStore,
        _ clock: WallClock,
        _ timer: any Clock<Duration>,
        leeway: Duration,
        login: @escaping Login
    ) {
        self.client = client
        self.store = store
        self.clock = clock
        self.timer = timer
        self.leeway = leeway
        self.login = login
    }

    /// Returns a token that is still valid, and gets one if necessary.
    nonisolated(nonsending) func token() async throws -> String {
        guard let stored = try await store.load() else { return try await renewed("") }
        if isFresh(stored) { return stored.accessToken }
        return try await renewed(stored.accessToken)
    }

    /// Gets a token in place of one that a server has refused.
    nonisolated(nonsending) func replace(_ refused: String?) async throws { _ = try await renewed(refused ?? "") }

    /// Returns a token in place of another, which is empty if there was none.
    nonisolated(nonsending) private func renewed(_ stale: String) async throws -> String {
        try await renewals.process(
            stale,
            next: AnyNode("OAuthSession") { [self] stale in
                if let token = try await requests.run({ [self] in try await refreshed(stale) }) {
                    return token.accessToken
                }
                return try await loggedIn(stale)
            }
        )
    }

    /// Returns the stored token if it is another one than `stale`, otherwise a refreshed one; `nil` if only a login can
    /// get one.
    nonisolated(nonsending) private func refreshed(_ stale: String) async throws -> OAuthToken? {
        var refused: String?
        while let stored = try await store.load() {
            // Another call, or another process with the same store, has replaced it meanwhile.
            if stored.accessToken != stale, isFresh(stored) { return stored }
            guard let old = stored.refreshToken else { return nil }
            if let shared = store as? any OAuthSharedTokenStore {
                switch try await claimed(stored, old, in: shared) {
                case .renewed(let token): return token
                case .unclaimed: continue
                }
            }
            if old == refused {
                // The refresh token has expired or was revoked.
                try await store.save(nil)
                return nil
            }
            do {
                let token = try await refreshed(with: old)
                // The user may have logged out, or another one in, while the server answered. Their tokens stay.
                guard let current = try await store.load() else { return nil }
                if current.refreshToken != old { continue }
                try await store.save(token)
                return token
            } catch let error as OAuthError where error.code == "invalid_grant" {
                // Another process may have used it first: then the store has the token that replaced it.
                refused = old
            }
        }
        return nil
    }

    nonisolated(nonsending) private func refreshed(with old: String) async throws -> OAuthToken {
        var token = try await client.token(
            ["grant_type": "refresh_token", "refresh_token": old].merging(client.scope) { $1 },
            at: clock.now
        )
        token.refreshToken = token.refreshToken ?? old
        return token
    }

    /// The result of an attempt to refresh tokens that other processes may refresh at the same time.
    private enum Claim {
        /// The tokens were refreshed; `nil` if the refresh token is no longer valid.
        case renewed(OAuthToken?)
        /// Another process has changed or claimed the stored tokens.
        case unclaimed
    }

    /// The time for which tokens are claimed, in which a request for tokens ends.
    private static let claimTime: TimeInterval = 60
    /// The time between two looks at tokens that another process has claimed.
    private static let pollTime = Duration.milliseconds(100)

    /// Claims the stored tokens and refreshes them, or waits a little if another process has claimed them.
    nonisolated(nonsending) private func claimed(
        _ stored: OAuthToken,
        _ old: String,
        in store: some OAuthSharedTokenStore
    ) async throws -> Claim {
        if let end = stored.claimedUntil, end > clock.now {
            try await timer.sleep(for: Self.pollTime)
            return .unclaimed
        }
        var (claim, released) = (stored, stored)
        claim.claimedUntil = clock.now.addingTimeInterval(Self.claimTime)
        released.claimedUntil = nil
        guard try await store.replace(stored, with: claim) else { return .unclaimed }
        do {
            let token = try await refreshed(with: old)
            // The user may have logged in again meanwhile; otherwise these are the only valid tokens.
            var known = claim
            while try await !store.replace(known, with: token) {
                // A logout that comes meanwhile wins over the refresh, at any time before the tokens are replaced.
                guard let other = try await store.load() else { return .renewed(nil) }
                if other.refreshToken != old { return .unclaimed }
                known = other
            }
            return .renewed(token)
        } catch let error as OAuthError where error.code == "invalid_grant" {
            // The refresh token has expired or was revoked.
            return try await store.replace(claim, with: nil) ? .renewed(nil) : .unclaimed
        } catch {
            _ = try? await store.replace(claim, with: released)
            throw error
        }
    }

    /// Returns the token of a login, for which all calls wait.
    nonisolated(nonsending) private func loggedIn(_ stale: String) async throws -> String {
        try await logins.process(
            stale,
            next: AnyNode("OAuthSession") { [self] stale in
                // Another login may have ended just before this one began.
                if let stored = try await store.load(), stored.accessToken != stale, isFresh(stored) {
                    return stored.accessToken
                }
                let request = try await login(client)
                let token = try await requests.run { [self] in
                    let token = try await request()
                    try await store.save(token)
                    return token
                }
                return token.accessToken
            }
        )
    }

    private func isFresh(_ token: OAuthToken) -> Bool {
        token.expires.map { $0.timeIntervalSince(clock.now) > leeway.inSeconds } ?? true
    }
}

/// Requests for tokens that run one after the other, each to its end.
private final class OAuthRequests: Sendable {
    private let running = Locked<Task<Void, Never>?>(nil)

    /// Calls `body` in a task of its own when no other request is running, and waits for its end.
    ///
    /// - Throws: the error of `body`; `CancellationError` when the calling task was canceled before `body` was called.
    ///   From then on, cancellation has no effect.
    nonisolated(nonsending) func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        while true {
            try Task.checkCancellation()
            let (own, other) = running.withLock { running -> (Task<Result, any Error>?, Task<Void, Never>?) in
                if let running { return (nil, running) }
                let task = Task { try await body() }
                running = Task { [self] in
                    _ = await task.result
                    self.running.withLock { $0 = nil }
                }
                return (task, nil)
            }
            if let own { return try await own.value }
            await other?.value
        }
    }
}
#endif
