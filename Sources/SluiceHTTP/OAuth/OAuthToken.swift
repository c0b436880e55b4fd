#if HTTP
public import Foundation
import Sluice

/// The tokens that an authorization server has issued.
public struct OAuthToken: Sendable, Hashable, Codable {
    /// The token that requests carry.
    public var accessToken: String
    /// The time at which the access token expires; `nil` if the server didn't say.
    public var expires: Date?
    /// The token that gets new tokens; `nil` if the server issues none.
    public var refreshToken: String?
    /// The scopes that were granted, separated by spaces; `nil` if they are those that were requested.
    public var scope: String?
    /// The time until which a process has the refresh token for itself, while it requests new tokens; `nil` otherwise.
    public var claimedUntil: Date?

    /// Makes tokens.
    public init(_ accessToken: String, expires: Date? = nil, refreshToken: String? = nil, scope: String? = nil) {
        self.accessToken = accessToken
        self.expires = expires
        self.refreshToken = refreshToken
        self.scope = scope
    }
}

/// A store of the tokens of one user, such as a keychain or a file.
///
/// Several filters of a process can share a store: each uses a token that another one has stored, and a refresh token
/// that was refused because another one has used it first is replaced by the stored one. Processes share an
/// ``OAuthSharedTokenStore``.
public protocol OAuthTokenStore: Sendable {
    /// Returns the stored tokens; `nil` before the first login.
    func load() async throws -> OAuthToken?
    /// Replaces the stored tokens.
    func save(_ token: OAuthToken?) async throws
}

/// A store of tokens that several processes share, such as a file with a lock or a row of a database.
///
/// The process that refreshes the tokens claims them first (``OAuthToken/claimedUntil``), and the others wait for what it
/// stores. So a refresh token is sent once, also to servers that revoke all tokens of the user when one is sent twice.
public protocol OAuthSharedTokenStore: OAuthTokenStore {
    /// Replaces the stored tokens if they are still equal to `old`, in one step that no other process can come between.
    ///
    /// - Returns: `false` if the stored tokens are not `old`, and are left as they are.
    func replace(_ old: OAuthToken?, with new: OAuthToken?) async throws -> Bool
}

/// A store in memory, which forgets its tokens with the process.
public final class OAuthMemoryStore: OAuthSharedTokenStore {
    private let token: Locked<OAuthToken?>

    /// Makes a store.
    public init(_ token: OAuthToken? = nil) { self.token = Locked(token) }

    /// Returns the stored tokens.
    public func load() async -> OAuthToken? { token.withLock { $0 } }
    /// Replaces the stored tokens.
    public func save(_ token: OAuthToken?) async { self.token.withLock { $0 = token } }
    /// Replaces the stored tokens if they are still equal to `old`.
    ///
    /// - Returns: `false` if the stored tokens are not `old`.
    public func replace(_ old: OAuthToken?, with new: OAuthToken?) async -> Bool {
        token.withLock { token in
            guard token == old else { return false }
            token = new
            return true
        }
    }
}
#endif
