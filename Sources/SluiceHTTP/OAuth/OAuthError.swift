#if HTTP
public import SluiceFilters

/// The error of an authorization server that issued no token (RFC 6749, 4.1.2.1 and 5.2).
///
/// Another attempt can't succeed, and a `RetryFilter` makes none. A server that can't be reached, or that answers with
/// another status, is an ``HTTPError``.
public struct OAuthError: ClassifiedError, Sendable, Hashable, CustomStringConvertible {
    /// The code of the server, such as `invalid_grant`; or one of those below.
    public let code: String
    /// The explanation of the server.
    public let explanation: String?

    /// Makes an error.
    public init(_ code: String, _ explanation: String? = nil) {
        self.code = code
        self.explanation = explanation
    }

    /// The code of an answer to an authorization request that doesn't belong to that request.
    public static let wrongState = "wrong_state"
    /// The code of an answer that is not one of an authorization server.
    public static let invalidResponse = "invalid_response"
    /// The code of an address to which secrets must not be sent, since it is neither `https` nor on loopback.
    public static let insecureEndpoint = "insecure_endpoint"
    /// The code when a login is needed and the program has no way to ask the user for one.
    public static let loginRequired = "login_required"

    /// The class `failure`.
    public var responseClass: ResponseClass { .failure }

    /// A description such as `authorization failed: invalid_grant: the code has expired`.
    public var description: String {
        "authorization failed: " + ([code] + (explanation.map { [$0] } ?? [])).joined(separator: ": ")
    }
}
#endif
