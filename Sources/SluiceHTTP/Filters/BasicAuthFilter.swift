#if HTTP
public import Foundation
import HTTPTypes
public import Sluice
public import SluiceFilters

/// A filter that adds a user name and a password to requests (RFC 7617), in UTF-8.
///
/// ```swift
/// let server = URL(string: "https://api.example.com")!
/// let node = BasicAuthFilter(for: server, user: "ada", password: "secret").andThen(HTTPTransport())
/// ```
///
/// Only requests to the origin that you name (scheme, host, and port) get them; without one, only requests to the
/// origin of the call's first request. A request that already has an `Authorization` passes unchanged.
///
/// With a closure, the name and the password may change: a ``SluiceFilters/AuthFilter`` around it gets new ones when
/// they are refused.
public struct BasicAuthFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let origins: FieldOrigins
    private let credentials: @Sendable () async throws -> (user: String, password: String)?

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - origin: an address of the server that the credentials are for, whose path doesn't matter; `nil`, the default,
    ///     is the server of the call's first request.
    ///   - user: the user name, which must not contain a colon.
    ///   - password: the password.
    public init(for origin: URL? = nil, user: String, password: String) {
        self.init(for: origin) { (user, password) }
    }

    /// Makes a filter with credentials that may change.
    ///
    /// - Parameters:
    ///   - origin: an address of the server that the credentials are for, whose path doesn't matter; `nil`, the default,
    ///     is the server of the call's first request.
    ///   - credentials: a closure that returns the name and the password, or `nil` before the user has logged in. It is
    ///     called once for each hop, and again after a refresh, on the caller's executor. Its error is the error of the
    ///     call.
    public init(
        for origin: URL? = nil,
        credentials: @escaping @Sendable () async throws -> (user: String, password: String)?
    ) {
        origins = origin.map { .only($0) } ?? .first
        self.credentials = credentials
    }

    /// Calls `next` with the credentials.
    ///
    /// - Throws: ``HTTPError`` (``HTTPError/Code/badRequest``) if the user name contains a colon; the error of
    ///   `credentials`, without a call of `next`; the error of `next`.
    /// - Cancellation: cancels `credentials` or `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        guard !request.headers.contains(.authorization), origins.includes(request),
            let (user, password) = try await credentials()
        else { return try await next.process(request) }
        guard !user.contains(":") else {
            throw HTTPError(.badRequest, "a user name with a colon cannot be sent", request: request)
        }
        var request = request
        let text = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        request.add([.authorization: text], replacing: true, isCredential: true)
        var response = try await next.process(request)
        response.noteSent(request)
        return response
    }

    /// The description `BasicAuthFilter`.
    public var description: String { "BasicAuthFilter" }
}

extension BasicAuthFilter: ChainStage {
    /// The declaration: per hop; adds Authorization.
    public var declaration: StageDeclaration { StageDeclaration(.hop, adds: .named([.authorization])) }
    /// The role ``StackRole/credentials``.
    public var stackRole: StackRole { .credentials }
}

extension Filter where Self == BasicAuthFilter {
    /// Returns a filter that adds the credentials of a user, for the stage `token`; see `BasicAuthFilter`.
    ///
    /// ```swift
    /// let builder = URLChainBuilder<UserRoute>().set(.token, .basic(user: "ada", password: "secret"))
    /// ```
    public static func basic(user: String, password: String) -> Self {
        BasicAuthFilter(user: user, password: password)
    }
}
#endif
