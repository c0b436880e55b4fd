#if HTTP
public import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
public import Sluice

extension HTTPClient {
    /// Sends a request of AsyncHTTPClient through filters: the place of ``execute(_:deadline:logger:)`` in a program that
    /// calls the client directly.
    ///
    /// ```swift
    /// import AsyncHTTPClient
    ///
    /// let filters = RedirectFilter().andThen(RetryFilter<TransportRequest, TransportResponse>.http(maxAttempts: 3))
    /// let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: "http://example.com/"), through: filters)
    /// print(response.status)  // 200 OK
    /// ```
    ///
    /// The deadline is that of the call context, and the version of the answer is always HTTP/1.1, since a
    /// ``TransportResponse`` has none. A body of bytes can be sent again; one that arrives in several pieces can't, and is
    /// read one piece ahead. The request's TLS configuration and local address don't apply: set those of the client.
    ///
    /// - Throws: ``HTTPError``; the errors of the filters; `CancellationError`.
    /// - Cancellation: ends the exchange on the wire. The body of an answer ends with the task that reads it.
    nonisolated(nonsending) public func execute(
        _ request: HTTPClientRequest,
        through filters: some SimpleFilter<TransportRequest, TransportResponse>
    ) async throws -> HTTPClientResponse {
        try await Self.execute(request, through: filters.andThen(HTTPTransport(client: self, body: .streamed)))
    }

    /// Sends a request of AsyncHTTPClient through any node that carries requests, such as a stub.
    ///
    /// - Throws: the error of the node; ``HTTPError`` when the address is invalid.
    /// - Cancellation: cancels the node.
    nonisolated(nonsending) public static func execute(
        _ request: HTTPClientRequest,
        through node: some Node<TransportRequest, TransportResponse>
    ) async throws -> HTTPClientResponse {
        guard let url = URL(string: request.url), let method = HTTPRequest.Method(rawValue: request.method.rawValue)
        else { throw HTTPError(.badRequest, "\"\(request.url)\" is not an address", request: nil) }
        var sent = TransportRequest(method, url)
        for (name, value) in request.headers {
            guard let name = HTTPField.Name(name) else {
                throw HTTPError(.badRequest, "\"\(name)\" is not the name of a header field", request: nil)
            }
            sent.headers.append(HTTPField(name: name, value: value))
        }
        sent.body = try await request.body.map { PeekedBody($0) }?.body()
        let response = try await node.process(sent)
        return HTTPClientResponse(
            status: HTTPResponseStatus(
                statusCode: response.status.code,
                reasonPhrase: response.status.reasonPhrase
            ),
            headers: HTTPHeaders(response.headers.map { ($0.name.rawName, $0.value) }),
            body: response.body.bytes.map { .bytes(ByteBuffer(bytes: $0)) }
                ?? .stream(response.body.map { ByteBuffer(bytes: $0) })
        )
    }

    /// The client as a node, for filters around any type of request.
    ///
    /// ```swift
    /// import AsyncHTTPClient
    ///
    /// let node = TimeoutFilter<HTTPClientRequest, HTTPClientResponse>(.seconds(5)).andThen(HTTPClient.shared.node())
    /// let status = try await node.process(HTTPClientRequest(url: "http://example.com/")).status
    /// ```
    ///
    /// - Parameter timeout: the time limit of a request for which the call context has no earlier deadline.
    public func node(timeout: Duration = .seconds(90)) -> AnyNode<HTTPClientRequest, HTTPClientResponse> {
        AnyNode("HTTPClient") { request in
            let limit = ContinuousClock.now + timeout
            let deadline = min(CallContext.current.deadline ?? limit, limit)
            return try await self.execute(
                request,
                deadline: .now() + TimeAmount(ContinuousClock.now.duration(to: deadline))
            )
        }
    }
}

/// A body of AsyncHTTPClient, which doesn't tell whether it is in memory: one that ends after its first piece is.
///
/// `@unchecked Sendable`: the iterator is used by ``body()`` and then by the stream that it returns, which is read once,
/// by one task at a time.
private final class PeekedBody: @unchecked Sendable {
    private var iterator: HTTPClientRequest.Body.AsyncIterator
    private var pieces: [ByteBuffer] = []

    init(_ body: HTTPClientRequest.Body) { iterator = body.makeAsyncIterator() }

    nonisolated(nonsending) func body() async throws -> RequestBody {
        while pieces.count < 2, let piece = try await iterator.next() { pieces.append(piece) }
        guard pieces.count == 2 else { return .bytes(pieces.first.map { Array($0.readableBytesView) } ?? []) }
        return .stream(
            RequestStream(count: nil, isReplayable: false) { [self] in
                ByteStream { [self] in { [self] in try await next().map { Array($0.readableBytesView) } } }
            }
        )
    }

    nonisolated(nonsending) private func next() async throws -> ByteBuffer? {
        pieces.isEmpty ? try await iterator.next() : pieces.removeFirst()
    }
}
#endif
