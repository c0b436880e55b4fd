#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP

/// An authorization server in this process that rotates refresh tokens: an answer to `r0` has `t1` and `r1`, and from then
/// on only `r1` is valid.
final class RotatingServer: Sendable {
    private struct State {
        var last = 0
        /// A Boolean value that indicates whether a refresh token was used twice, which revokes all of them.
        var isRevoked = false
        var grants: [String] = []
    }

    private let state = Locked(State())
    private let revokesReused: Bool
    private let isReached: @Sendable (_ number: Int) async -> Void
    private let isIssued: @Sendable (_ number: Int) async -> Void

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - revokesReused: A Boolean value that indicates whether a refresh token that is sent again revokes all tokens.
    ///   - isReached: a closure that is called when a request has arrived, with its number, before it is judged.
    ///   - isIssued: a closure that is called when new tokens were issued, and the old ones are invalid, before the answer
    ///     is returned.
    init(
        revokesReused: Bool = false,
        isReached: @escaping @Sendable (_ number: Int) async -> Void = { _ in },
        isIssued: @escaping @Sendable (_ number: Int) async -> Void = { _ in }
    ) {
        self.revokesReused = revokesReused
        self.isReached = isReached
        self.isIssued = isIssued
    }

    /// The refresh tokens, or the grant types, of the requests that have arrived.
    var grants: [String] { state.withLock { $0.grants } }

    func client() throws -> OAuthClient {
        OAuthClient(
            "app",
            tokenEndpoint: try .of("https://login.example.com/token"),
            authorizationEndpoint: try .of("https://login.example.com/authorize"),
            redirect: try .of("app://callback"),
            transport: AnyNode("server") { [self] request in try await answer(request) }
        )
    }

    private func answer(_ request: TransportRequest) async throws -> TransportResponse {
        let form = Self.form(request)
        let grant = form["refresh_token"] ?? form["grant_type"] ?? ""
        let number = state.withLock {
            $0.grants.append(grant)
            return $0.grants.count
        }
        await isReached(number)
        let issued = state.withLock { state -> Int? in
            if let token = form["refresh_token"], token != "r\(state.last)" {
                state.isRevoked = revokesReused
                return nil
            }
            if state.isRevoked { return nil }
            state.last += 1
            return state.last
        }
        guard let issued else { return .of(400, [:], #"{"error": "invalid_grant"}"#) }
        await isIssued(number)
        // As on the wire, a canceled exchange has no answer.
        try Task.checkCancellation()
        return .of(200, [:], #"{"access_token": "t\#(issued)", "refresh_token": "r\#(issued)"}"#)
    }

    static func form(_ request: TransportRequest) -> [String: String] {
        var components = URLComponents()
        components.percentEncodedQuery = request.body?.bytes.map { String(decoding: $0, as: UTF8.self) }
        let items = components.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    /// Returns the address to which a browser comes back from a login.
    static func loggedIn(_ url: URL) throws -> URL {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return try .of("app://callback?code=the-secret-code&state=\(items.first { $0.name == "state" }?.value ?? "")")
    }
}

/// A store in memory that counts.
final class CountingStore: OAuthTokenStore {
    private let store: OAuthMemoryStore
    private let counts = Locked((loads: 0, saves: 0))

    init(_ token: OAuthToken? = nil) { store = OAuthMemoryStore(token) }

    var loads: Int { counts.withLock { $0.loads } }
    var saves: Int { counts.withLock { $0.saves } }

    func load() async -> OAuthToken? {
        let token = await store.load()
        counts.withLock { $0.loads += 1 }
        return token
    }

    func save(_ token: OAuthToken?) async {
        await store.save(token)
        counts.withLock { $0.saves += 1 }
    }
}

/// A shared store whose user logs out right after a process has looked at the tokens.
final class LeavingStore: OAuthSharedTokenStore {
    private let store: OAuthMemoryStore
    let leavesAfterNextLoad = Locked(false)

    init(_ token: OAuthToken?) { store = OAuthMemoryStore(token) }

    func load() async -> OAuthToken? {
        let token = await store.load()
        let leaves = leavesAfterNextLoad.withLock { leaves in
            defer { leaves = false }
            return leaves
        }
        if leaves { await store.save(nil) }
        return token
    }

    func save(_ token: OAuthToken?) async { await store.save(token) }

    func replace(_ old: OAuthToken?, with new: OAuthToken?) async -> Bool { await store.replace(old, with: new) }
}
#endif
