public import Foundation
import HTTPTypes
public import Sluice
public import SluiceFilters

/// Gives requests a user name and a password (RFC 7617), in UTF-8.
///
/// ```swift
/// let server = URL(string: "https://api.example.com")!
/// let node = BasicAuthFilter(for: server, user: "ada", password: "secret").andThen(HTTPTransport())
/// ```
///
/// Only requests to the origin that you name (scheme, host and port) get them; if you name none, to the origin of the
/// call's first request. A request that has an `Authorization` of its own passes untouched.
public struct BasicAuthFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let origins: FieldOrigins
    private let isValid: Bool
    private let credentials: String

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - origin: an address of the server that the credentials are for, whose path doesn't matter; `nil`, the default,
    ///     is the server of the call's first request.
    ///   - user: the name; one with a colon cannot be sent.
    ///   - password: the password.
    public init(for origin: URL? = nil, user: String, password: String) {
        origins = origin.map { .only($0) } ?? .first
        isValid = !user.contains(":")
        credentials = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// Calls `next` with the credentials.
    ///
    /// - Throws: ``HTTPError`` (``HTTPError/Code/badRequest``) where the user's name has a colon; the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        guard !request.headers.contains(.authorization), origins.includes(request) else {
            return try await next.process(request)
        }
        guard isValid else {
            throw HTTPError(.badRequest, "a user name with a colon cannot be sent", request: request)
        }
        var request = request
        request.add([.authorization: credentials], replacing: true, isCredential: true)
        var response = try await next.process(request)
        response.noteSent(request)
        return response
    }

    /// `BasicAuthFilter`.
    public var description: String { "BasicAuthFilter" }
}

extension BasicAuthFilter: ChainStage {
    /// Per hop; it adds Authorization.
    public var declaration: StageDeclaration { StageDeclaration(.hop, adds: .named([.authorization])) }
    /// ``StackRole/credentials``.
    public var stackRole: StackRole { .credentials }
}
