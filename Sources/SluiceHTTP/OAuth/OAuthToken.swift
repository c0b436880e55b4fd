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
/// Several filters and processes can share a store: each uses a token that another one has stored, and a refresh token
/// that was refused because another one has used it first is replaced by the stored one.
public protocol OAuthTokenStore: Sendable {
    /// Returns the stored tokens; `nil` before the first login.
    func load() async throws -> OAuthToken?
    /// Replaces the stored tokens.
    func save(_ token: OAuthToken?) async throws
}

/// A store in memory, which forgets its tokens with the process.
public final class OAuthMemoryStore: OAuthTokenStore {
    private let token: Locked<OAuthToken?>

    /// Makes a store.
    public init(_ token: OAuthToken? = nil) { self.token = Locked(token) }

    /// Returns the stored tokens.
    public func load() async -> OAuthToken? { token.withLock { $0 } }
    /// Replaces the stored tokens.
    public func save(_ token: OAuthToken?) async { self.token.withLock { $0 = token } }
}
#endif
