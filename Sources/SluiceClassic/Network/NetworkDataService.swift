#if HTTP
public import Foundation
import HTTPTypes
public import Sluice
public import SluiceHTTP

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A node that sends a `URLRequest` and returns the body and head of the response, whatever its status.
///
/// ```swift
/// let (data, response) = try await NetworkDataService()
///     .apply(request: URLRequest(url: URL(string: "http://example.com/")!))
///     .value
/// ```
public struct NetworkDataService: Node {
    /// The request that ``process(_:)`` takes.
    public typealias Input = URLRequest
    /// The body and head that ``process(_:)`` returns.
    public typealias Output = (Data, HTTPURLResponse)

    private let transport: AnyNode<TransportRequest, TransportResponse>

    /// Creates a service that sends over the network.
    public init() { self.init(transport: AnyNode(RedirectFilter().andThen(HTTPTransport()))) }

    /// Creates a service over a transport of your own.
    public init(transport: some Transport) { self.transport = AnyNode(transport) }

    /// Sends a request and returns the body and head of the response.
    ///
    /// - Throws: `HTTPError` without a response; `NetworkError/noURL` when the request has no address.
    /// - Cancellation: Ends the exchange on the wire.
    nonisolated(nonsending) public func process(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url, let method = HTTPRequest.Method(request.httpMethod ?? "GET") else {
            throw NetworkError.noURL
        }
        var outgoing = TransportRequest(method, url, body: request.httpBody.map { .bytes(Array($0)) })
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            if let name = HTTPField.Name(name) { outgoing.headers[name] = value }
        }
        let incoming = try await transport.process(outgoing)
        let headers = incoming.headers.reduce(into: [String: String]()) { headers, field in
            headers[field.name.rawName] = headers[field.name.rawName].map { "\($0), \(field.value)" } ?? field.value
        }
        let head = HTTPURLResponse(
            url: url,
            statusCode: incoming.status.code,
            httpVersion: "HTTP/1.1",
            headerFields: headers
        )
        guard let head else { throw NetworkError.noURL }
        return (Data(incoming.body.bytes ?? []), head)
    }
}

/// An error that indicates why a `URLRequest` cannot be sent.
public enum NetworkError: Error, Sendable, Equatable {
    /// The request has no address, or no method that HTTP allows.
    case noURL
}
#endif
