import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Sluice

/// Carries requests over the network with AsyncHTTPClient: HTTP/1.1 and HTTP/2, pooled connections, compressed bodies
/// and redirects understood.
///
/// A connection that is refused is an error at once: to try again is a filter's work, `RetryFilter`'s. Redirects are
/// followed 20 times, never from https to http, and another server never gets what was meant for the first alone:
/// fields like Authorization and Cookie.
///
/// ```swift
/// let request = TransportRequest(.get, URL(string: "http://example.com/")!)
/// let response = try await HTTPTransport().process(request)
/// ```
public struct HTTPTransport: Transport, CustomStringConvertible {
    /// What ``process(_:)`` takes.
    public typealias Input = TransportRequest
    /// What ``process(_:)`` answers.
    public typealias Output = TransportResponse

    private let maximumBodyBytes: Int

    /// One client for the process; it lives as long as that does, and so is never shut down.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.redirectConfiguration = .disallow
        configuration.http1_1ConnectionDebugInitializer = StatusGuard.add
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Makes a transport.
    ///
    /// - Parameter maximumBodyBytes: answers whose body is longer are refused; 64 MiB by default.
    public init(maximumBodyBytes: Int = 64 << 20) {
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Sends a request, follows redirects and collects the answer, whatever its status.
    ///
    /// - Throws: ``HTTPError`` when no answer came, or redirects lead nowhere; `CancellationError` when the task was
    ///   cancelled.
    /// - Cancellation: ends the exchange on the wire.
    nonisolated(nonsending) public func process(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        var redirects = 0
        while true {
            guard Address.hasPort(request.url) else {
                let reason = "no address of a web server: the port is not from 1 to 65535"
                throw HTTPError(.badRequest, reason, request: request)
            }
            let incoming = try await send(request)
            guard let status = HTTPResponse.Status(incoming.status) else {
                throw HTTPError(NotHTTP(), .beforeHead, request: request, limit: maximumBodyBytes)
            }
            var response = TransportResponse(status: status, headers: HTTPFields(incoming.headers))
            let next = Redirect.request(after: response, to: request)
            if let next, redirects < Redirect.maximum {
                // The body is left where it is: what it says is of no use.
                try Task.checkCancellation()
                request = next
                redirects += 1
                continue
            }
            response.body = ByteStream(try await collect(incoming, for: request))
            guard Redirect.isRedirect(response.status) else { return response }
            let reason = next == nil ? "\(status.text) leads nowhere" : "more than \(Redirect.maximum) redirects"
            throw HTTPError(.badStatus, reason, request: request, response: response)
        }
    }

    /// Sends a request and waits for the head of its answer.
    nonisolated(nonsending) private func send(_ request: TransportRequest) async throws -> HTTPClientResponse {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        switch request.body {
        case nil: break
        case .bytes(let bytes)?: outgoing.body = .bytes(ByteBuffer(bytes: bytes))
        case .file?, .stream?: throw HTTPError(.badRequest, "bodies of files and streams come next", request: request)
        }
        do {
            return try await Self.client.execute(outgoing, deadline: .distantFuture)
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw HTTPError(error, .beforeHead, request: request, limit: maximumBodyBytes)
        }
    }

    /// Reads the body of an answer to its end.
    nonisolated(nonsending) private func collect(
        _ incoming: HTTPClientResponse,
        for request: TransportRequest
    ) async throws -> [UInt8] {
        do {
            return Array(try await incoming.body.collect(upTo: maximumBodyBytes).readableBytesView)
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw HTTPError(error, .afterHead, request: request, limit: maximumBodyBytes)
        }
    }

    /// `HTTPTransport`.
    public var description: String { "HTTPTransport" }
}

extension HTTPResponse.Status {
    /// The status that came; `nil` if it is no number of three digits from 100.
    fileprivate init?(_ status: HTTPResponseStatus) {
        guard (100...999).contains(status.code) else { return nil }
        self.init(code: Int(status.code), reasonPhrase: status.reasonPhrase)
    }

    /// `302 Found`, or `302` if the server gave no reason.
    fileprivate var text: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }
}

extension HTTPFields {
    fileprivate init(_ headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
    }
}
