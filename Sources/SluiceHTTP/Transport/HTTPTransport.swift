#if HTTP
public import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Sluice
import SluiceFilters

/// A transport over the network with AsyncHTTPClient: HTTP/1.1 and HTTP/2, pooled connections, and decompression of
/// bodies.
///
/// ```swift
/// let request = TransportRequest(.get, URL(string: "http://example.com/")!)
/// let response = try await HTTPTransport().process(request)
/// ```
///
/// It immediately sends a request again if its body can be sent again and the connection ended through no fault of the
/// request: an idempotent request, or one with an `Idempotency-Key`, when a connection that was used before closes
/// before the first byte of the answer; any request when the connection closed before it was written; and once, any
/// request that the server refused without processing it. After a server restarts, each connection of the pool may end
/// like this, so it does so up to 16 times; a new connection that closes ends the request. All other failures are
/// reported immediately, and a redirect is an ordinary answer: `RetryFilter` retries, and `RedirectFilter` follows
/// redirects.
///
/// Transports without settings share one pool of connections, for the lifetime of the process. A transport with
/// settings has its own; it is closed when the last copy of the transport and the last arriving body are released, or
/// by ``shutdown()``.
public struct HTTPTransport: Transport, CustomStringConvertible {
    /// The input of ``process(_:)``.
    public typealias Input = TransportRequest
    /// The output of ``process(_:)``.
    public typealias Output = TransportResponse

    private let client: ClientLease
    private let body: BodyMode
    private let hook: (any SimpleFilter<TransportRequest, TransportResponse>)?

    /// Makes a transport over the shared connections of the process.
    ///
    /// - Parameter body: the form of answers, complete or streamed.
    public init(body: BodyMode = .whole(upTo: 64 << 20)) {
        client = .shared
        self.body = body
        hook = nil
    }

    /// Makes a transport with connections of its own.
    public init(_ settings: Settings) {
        client = ClientLease(owning: settings)
        body = settings.body
        hook = settings.hook
    }

    /// Makes a transport over a client that you configured, and must shut down yourself.
    ///
    /// The client's configuration applies: it follows redirects unless its configuration disallows that, and has the
    /// timeouts that you set.
    public init(client: HTTPClient, body: BodyMode = .whole(upTo: 64 << 20)) {
        self.client = ClientLease(borrowing: client)
        self.body = body
        hook = nil
    }

    /// Sends a request and returns its answer, with any status: when the head has arrived if bodies are streamed,
    /// otherwise when the body has.
    ///
    /// The deadline of the call also ends the exchange, including a streamed body. If a filter watches the deadline,
    /// that filter ends the call with an error of its own.
    ///
    /// - Throws: ``HTTPError`` when no answer or only a part of it arrived; `CancellationError` when the task was
    ///   canceled, without sending anything if that was before the call.
    /// - Cancellation: ends the exchange on the wire. A streamed body ends with the task that reads it, or when it is
    ///   released.
    nonisolated(nonsending) public func process(_ request: TransportRequest) async throws -> TransportResponse {
        guard Address.hasPort(request.url) else {
            let reason = "no address of a web server: the port is not from 1 to 65535"
            throw HTTPError(.badRequest, reason, request: request)
        }
        var request = request
        if let key = CallContext.current.idempotencyKey { request = request.identified(by: key) }
        request.renewDeadline()
        try Task.checkCancellation()
        guard hook != nil || Self.hook != nil else { return try await send(request) }
        let wire = AnyNode<TransportRequest, TransportResponse>("HTTPTransport") { try await send($0) }
        let inner = hook.map { Self.node($0, around: wire) } ?? wire
        return try await (Self.hook.map { Self.node($0, around: inner) } ?? inner).process(request)
    }

    /// Sends a request over the network.
    nonisolated(nonsending) private func send(_ request: TransportRequest) async throws -> TransportResponse {
        var exchange = try await Exchange(request, over: client)
        var resends = Resends()
        let incoming: HTTPClientResponse
        while true {
            do {
                incoming = try await exchange.send()
                break
            } catch  where exchange.mayBeSentAgain(after: error, &resends) {
                CallContext.note("HTTPTransport", "sends again: \(exchange.error(error, .beforeHead))")
                exchange = try await Exchange(request, over: client)
            } catch {
                throw exchange.error(error, .beforeHead)
            }
        }
        guard let status = HTTPResponse.Status(incoming.status) else {
            throw exchange.error(NotHTTP(), .beforeHead)
        }
        if CallContext.isExplained { CallContext.note("HTTPTransport", status.summary) }
        var response = TransportResponse(status: status, headers: HTTPFields(incoming.headers))
        response.noteSent(request)
        switch body {
        case .whole(let limit): response.body = ByteStream(try await exchange.collect(incoming, upTo: limit))
        case .streamed: response.body = exchange.stream(incoming)
        }
        return response
    }

    /// Closes the connections of a transport with settings; running requests and all later ones fail.
    ///
    /// It returns when they are closed. It does nothing for a transport without settings, or with a client of yours,
    /// since others may use their connections.
    public func shutdown() async { await client.shutdown() }

    /// The state of the transport's connections at this moment; of all transports without settings together, and empty
    /// for a transport with a client of yours.
    public var pool: PoolMetrics { client.monitor?.metrics ?? PoolMetrics() }

    /// The description `HTTPTransport`.
    public var description: String { "HTTPTransport" }
}

/// Calls `body` with a transport that has connections of its own, and closes them when it returns or throws.
///
/// ```swift
/// var settings = HTTPTransport.Settings()
/// settings.connectTimeout = .seconds(2)
/// let status = try await withHTTPTransport(settings) { transport in
///     try await transport.process(TransportRequest(.get, URL(string: "http://example.com/")!)).status
/// }
/// ```
///
/// - Returns: the result of `body`, whose error it throws. `body` is called once, on the caller's executor, and is
///   canceled with the calling task.
nonisolated(nonsending) public func withHTTPTransport<Result>(
    _ settings: HTTPTransport.Settings = .init(),
    _ body: nonisolated(nonsending) (HTTPTransport) async throws -> Result
) async rethrows -> Result {
    let transport = HTTPTransport(settings)
    do {
        let result = try await body(transport)
        await transport.shutdown()
        return result
    } catch {
        await transport.shutdown()
        throw error
    }
}

extension HTTPResponse.Status {
    /// Converts the received status; returns `nil` unless it is a number of three digits from 100.
    fileprivate init?(_ status: HTTPResponseStatus) {
        guard (100...999).contains(status.code) else { return nil }
        self.init(code: Int(status.code), reasonPhrase: status.reasonPhrase)
    }
}

extension HTTPFields {
    fileprivate init(_ headers: HTTPHeaders) {
        self.init()
        reserveCapacity(headers.count)
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
    }
}
#endif
