public import Foundation
public import HTTPTypes
public import OpenAPIRuntime
public import Sluice
import SluiceFilters
public import SluiceHTTP

/// A transport of generated clients that sends requests through any node of Sluice.
///
/// ```swift
/// let node = RetryFilter<TransportRequest, TransportResponse>.http(maxAttempts: 3).andThen(HTTPTransport(body: .streamed))
/// let client = Client(serverURL: try Servers.Server1.url(), transport: SluiceClientTransport(node))
/// ```
public struct SluiceClientTransport: ClientTransport {
    private let node: AnyNode<TransportRequest, TransportResponse>

    /// Makes a transport.
    public init(_ node: some Node<TransportRequest, TransportResponse> = HTTPTransport(body: .streamed)) {
        self.node = AnyNode(node)
    }

    /// Sends a request of an operation.
    public func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let message = try TransportRequest(request, body, baseURL)
        let response = try await node.process(message)
        return (HTTPResponse(status: response.status, headerFields: response.headers), HTTPBody(response.body))
    }
}
