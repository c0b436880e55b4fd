public import Foundation
import HTTPTypes
public import Sluice

/// Gives requests a user name and a password (RFC 7617), in UTF-8.
///
/// ```swift
/// let server = URL(string: "https://api.example.com")!
/// let node = BasicAuthFilter(for: server, user: "ada", password: "secret").andThen(HTTPTransport())
/// ```
///
/// Only requests to the origin that you name (scheme, host and port) get them. A request that has an `Authorization` of
/// its own passes untouched.
public struct BasicAuthFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let origin: [String]?
    private let isValid: Bool
    private let credentials: String

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - origin: an address of the server that the credentials are for; its path does not count.
    ///   - user: the name; one with a colon cannot be sent.
    ///   - password: the password.
    public init(for origin: URL, user: String, password: String) {
        self.origin = Address.origin(origin)
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
        guard let origin, Address.origin(request.url) == origin, !request.headers.contains(.authorization) else {
            return try await next.process(request)
        }
        guard isValid else {
            throw HTTPError(.badRequest, "a user name with a colon cannot be sent", request: request)
        }
        var request = request
        request.headers[.authorization] = credentials
        return try await next.process(request)
    }

    /// `BasicAuthFilter`.
    public var description: String { "BasicAuthFilter" }
}
