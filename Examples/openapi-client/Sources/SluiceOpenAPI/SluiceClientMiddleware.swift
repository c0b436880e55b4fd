public import Foundation
public import HTTPTypes
public import OpenAPIRuntime
public import Sluice
public import SluiceHTTP

/// A middleware of generated clients that is a filter of Sluice: a retry, a breaker, credentials, a cache, or a whole stack.
///
/// ```swift
/// let retry = SluiceClientMiddleware(RetryFilter.http(maxAttempts: 3))
/// let client = Client(serverURL: url, transport: transport, middlewares: [retry])
/// ```
///
/// One filter serves all operations of a client. A body that can be read only once is not sent again.
public struct SluiceClientMiddleware: ClientMiddleware {
    private let filter: AnyFilter<TransportRequest, TransportResponse, TransportRequest, TransportResponse>

    /// Makes a middleware.
    public init(_ filter: some SimpleFilter<TransportRequest, TransportResponse>) { self.filter = AnyFilter(filter) }

    /// Calls `next` through the filter.
    public func intercept(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String,
        next: @concurrent @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let message = try TransportRequest(request, body, baseURL)
        return try await withoutActuallyEscaping(next) { next in
            let node = AnyNode<TransportRequest, TransportResponse>(operationID) { message in
                var changed = request
                changed.method = message.method
                changed.headerFields = message.headers
                // A filter that leads to another address, such as one for redirects, changes the base.
                let (path, base) = message.url.parts(of: baseURL)
                changed.path = path
                let (response, answer) = try await next(changed, HTTPBody(message.body), base)
                return TransportResponse(
                    status: response.status,
                    headers: response.headerFields,
                    body: answer.map { ByteStream($0) } ?? []
                )
            }
            let response = try await filter.process(message, next: node)
            return (HTTPResponse(status: response.status, headerFields: response.headers), HTTPBody(response.body))
        }
    }
}
