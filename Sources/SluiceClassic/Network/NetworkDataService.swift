public import Foundation
import HTTPTypes
public import Sluice
public import SluiceHTTP

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends a `URLRequest` and answers with the body and the head of what came, whatever its status.
///
/// ```swift
/// let (data, response) = try await NetworkDataService()
///     .apply(request: URLRequest(url: URL(string: "http://example.com/")!))
///     .value
/// ```
public struct NetworkDataService: Node {
    /// What ``process(_:)`` takes.
    public typealias Input = URLRequest
    /// What ``process(_:)`` answers.
    public typealias Output = (Data, HTTPURLResponse)

    private let transport: AnyNode<TransportRequest, TransportResponse>

    /// Makes a service that sends over the network.
    public init() { self.init(transport: AnyNode(RedirectFilter().andThen(HTTPTransport()))) }

    /// Makes a service over a transport of your own.
    public init(transport: some Transport) { self.transport = AnyNode(transport) }

    /// Sends a request.
    ///
    /// - Throws: `HTTPError` when no answer came; `NetworkError/noURL` when the request has no address.
    /// - Cancellation: ends the exchange on the wire.
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

/// Why a `URLRequest` cannot be sent.
public enum NetworkError: Error, Sendable, Equatable {
    /// It has no address, or no method that HTTP allows.
    case noURL
}
