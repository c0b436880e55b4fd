public import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Sluice
import SluiceFilters

/// Carries requests over the network with AsyncHTTPClient: HTTP/1.1 and HTTP/2, pooled connections, compressed bodies
/// understood.
///
/// ```swift
/// let request = TransportRequest(.get, URL(string: "http://example.com/")!)
/// let response = try await HTTPTransport().process(request)
/// ```
///
/// It sends a request once more, at once, if its body can be sent again and the connection ended through no fault of the
/// request: an idempotent request, or one with an `Idempotency-Key`, when a connection that was used before closes before
/// the first byte of the answer; any request when it is known that the server has not processed it. All other failures are
/// errors at once, and an answer that sends elsewhere is an answer: to try again is the work of `RetryFilter`, to follow is
/// that of the redirect filter.
///
/// Transports without settings share one set of connections in the process, which lives as long as that does. One with
/// settings has its own; it is closed when the last copy of the transport and the last body that still arrives are gone,
/// or by ``shutdown()``.
public struct HTTPTransport: Transport, CustomStringConvertible {
    /// What ``process(_:)`` takes.
    public typealias Input = TransportRequest
    /// What ``process(_:)`` answers.
    public typealias Output = TransportResponse

    private let client: ClientLease
    private let body: BodyMode

    /// Makes a transport over the connections that the process shares.
    ///
    /// - Parameter body: whether answers come whole or in pieces.
    public init(body: BodyMode = .whole(upTo: 64 << 20)) {
        client = .shared
        self.body = body
    }

    /// Makes a transport with connections of its own.
    public init(_ settings: Settings) {
        client = ClientLease(owning: settings.configuration)
        body = settings.body
    }

    /// Makes a transport over a client that you configured, and shut down when you are done.
    ///
    /// What the client is set to do it does: it follows redirects unless its configuration disallows that, and has the
    /// timeouts that you gave it.
    public init(client: HTTPClient, body: BodyMode = .whole(upTo: 64 << 20)) {
        self.client = ClientLease(borrowing: client)
        self.body = body
    }

    /// Sends a request and answers with what came, whatever its status; when the head is there if bodies are streamed,
    /// else when the body is.
    ///
    /// The deadline of the call ends the exchange too, its streamed body included. Where a filter watches the deadline, the
    /// filter ends the call, with an error of its own.
    ///
    /// - Throws: ``HTTPError`` when no answer came, or only a part of it; `CancellationError` when the task was canceled,
    ///   without sending anything if that was before the call.
    /// - Cancellation: ends the exchange on the wire. A streamed body ends with the task that reads it, or when it is let
    ///   go of.
    nonisolated(nonsending) public func process(_ request: TransportRequest) async throws -> TransportResponse {
        guard Address.hasPort(request.url) else {
            let reason = "no address of a web server: the port is not from 1 to 65535"
            throw HTTPError(.badRequest, reason, request: request)
        }
        var request = request
        if let key = CallContext.current.idempotencyKey { request = request.identified(by: key) }
        request.renewDeadline()
        try Task.checkCancellation()
        var exchange = try await Exchange(request, over: client)
        let incoming: HTTPClientResponse
        do {
            do { incoming = try await exchange.send() } catch  where exchange.mayBeSentAgain(after: error) {
                CallContext.note("HTTPTransport", "sends again: \(exchange.error(error, .beforeHead))")
                exchange = try await Exchange(request, over: client)
                incoming = try await exchange.send()
            }
        } catch {
            throw exchange.error(error, .beforeHead)
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

    /// Closes the connections of a transport with settings; what is under way fails, and so does every later request.
    ///
    /// Returns when they are closed. Does nothing for a transport without settings, or with a client of yours: others
    /// may use their connections.
    public func shutdown() async { await client.shutdown() }

    /// `HTTPTransport`.
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
/// - Returns: what `body` returns; throws what it throws. `body` is called once, on the caller's executor, and is
///   cancelled with the calling task.
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
    /// The status that came; `nil` if it is no number of three digits from 100.
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
