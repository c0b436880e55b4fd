#if HTTP
#if canImport(Darwin) || URLSession
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport over Foundation's `URLSession`, for what only the system offers on Apple platforms: the system's proxies
/// and VPN, HTTP/3, and transfers that continue while an app is suspended.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let users: RequestChain<Void, [String]> = URLChainBuilder<String>(transport: transport)
///     .route(.get, "http://example.com/users").build()
/// ```
///
/// It takes the place of ``HTTPTransport`` in any chain. Redirects are ordinary answers, cookies and answers are not kept,
/// and authentication is left to filters, whatever the configuration says. Bodies of requests that are streams are
/// collected in memory first. URLSession joins repeated fields of an answer into one. On Linux it uses
/// FoundationNetworking, which offers neither HTTP/3 nor background transfers.
public struct URLSessionTransport: Transport, CustomStringConvertible {
    /// The input of ``process(_:)``.
    public typealias Input = TransportRequest
    /// The output of ``process(_:)``.
    public typealias Output = TransportResponse

    /// The way in which exchanges run.
    public enum Mode: Sendable, Hashable {
        /// In memory: the answer is complete, and one with more bytes is an error.
        case whole(upTo: Int)
        /// The answer is returned when its head has arrived; chunks that arrive before they are read are kept in memory.
        case streamed
        /// Through files, as sessions for background transfers require it: the body of a request is a file, and the body
        /// of the answer is received as a file and then read into memory, up to a number of bytes.
        case files(upTo: Int)
    }

    private let session: SessionLease
    private let mode: Mode

    /// Makes a transport with a session of its own, which ends with the last copy of the transport and the last exchange.
    ///
    /// - Parameters:
    ///   - configuration: the configuration of the session, such as `.background(withIdentifier:)`; a copy of it is used.
    ///   - mode: the way in which exchanges run.
    public init(_ configuration: URLSessionConfiguration = .default, mode: Mode = .whole(upTo: 64 << 20)) {
        session = SessionLease(configuration)
        self.mode = mode
    }

    /// Sends a request and returns its answer, with any status.
    ///
    /// The deadline of the call also ends the exchange, including a streamed body. The filter of
    /// ``HTTPTransport/hooked(by:_:)`` is called for each request.
    ///
    /// - Throws: ``HTTPError`` when no answer or only a part of it arrived; `CancellationError` when the task was canceled,
    ///   without sending anything if that was before the call.
    /// - Cancellation: cancels the task of the session. A streamed body ends with the task that reads it, or when it is
    ///   released.
    nonisolated(nonsending) public func process(_ request: TransportRequest) async throws -> TransportResponse {
        guard Address.origin(request.url) != nil, Address.hasPort(request.url) else {
            throw HTTPError(.badRequest, "no address of a web server", request: request)
        }
        var request = request
        if let key = CallContext.current.idempotencyKey { request = request.identified(by: key) }
        request.renewDeadline()
        try Task.checkCancellation()
        guard let hook = HTTPTransport.hook else { return try await send(request) }
        let wire = AnyNode<TransportRequest, TransportResponse>("URLSessionTransport") { try await send($0) }
        return try await HTTPTransport.node(hook, around: wire).process(request)
    }

    /// Sends a request over the network.
    nonisolated(nonsending) private func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let deadline = BodyDeadline() else { return try await exchange(request, nil) }
        if deadline.hasPassed {
            throw HTTPError(.timedOut, "\(DeadlineError())", request: request, timeout: .total, isUnsent: true)
        }
        do {
            return try await deadline.limit { try await exchange(request, deadline) }
        } catch let error as DeadlineError {
            throw SessionExchange.error(error, hasHead: false, request)
        }
    }

    nonisolated(nonsending) private func exchange(
        _ request: TransportRequest,
        _ deadline: BodyDeadline?
    ) async throws -> TransportResponse {
        var message = URLRequest(url: request.url)
        message.httpMethod = request.method.rawValue
        message.httpShouldHandleCookies = false
        message.cachePolicy = .reloadIgnoringLocalCacheData
        #if !canImport(FoundationNetworking)
        message.assumesHTTP3Capable = request.url.scheme == "https"
        #endif
        for field in request.headers {
            message.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        let upload: SessionUpload
        do { upload = try await SessionUpload(request.body, inFile: fileLimit != nil) } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw OutgoingBody.failure(error, of: request)
        }
        let exchange = session.start(message, upload, fileLimit: fileLimit)
        return try await withTaskCancellationHandler {
            do {
                let head = try await exchange.head()
                var response = TransportResponse(status: head.status, headers: head.fields)
                response.noteSent(request)
                switch mode {
                case .streamed: response.body = exchange.stream(request, deadline?.unwatched)
                case .whole(let limit), .files(let limit):
                    response.body = ByteStream(try await exchange.stream(request).collected(upTo: limit))
                }
                return response
            } catch {
                exchange.cancel()
                throw SessionExchange.error(error, hasHead: exchange.hasHead, request)
            }
        } onCancel: {
            exchange.cancel()
        }
    }

    private var fileLimit: Int? { if case .files(let limit) = mode { limit } else { nil } }

    /// The description `URLSessionTransport`.
    public var description: String { "URLSessionTransport" }
}
#endif
#endif
