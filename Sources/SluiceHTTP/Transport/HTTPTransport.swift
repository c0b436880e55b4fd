import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import Sluice

/// Carries requests over the network with AsyncHTTPClient: HTTP/1.1 and HTTP/2, pooled connections, compressed bodies
/// and redirects understood.
///
/// A connection that is refused is an error at once: to try again is a filter's work, `RetryFilter`'s.
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
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Makes a transport.
    ///
    /// - Parameter maximumBodyBytes: answers whose body is longer are refused; 64 MiB by default.
    public init(maximumBodyBytes: Int = 64 << 20) {
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Sends a request and collects its answer, whatever its status.
    ///
    /// - Throws: ``HTTPError`` when no answer came; `CancellationError` when the task was cancelled.
    /// - Cancellation: ends the exchange on the wire.
    nonisolated(nonsending) public func process(_ request: TransportRequest) async throws -> TransportResponse {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(bytes: body)) }
        do {
            let incoming = try await Self.client.execute(outgoing, deadline: .distantFuture)
            let body = try await incoming.body.collect(upTo: maximumBodyBytes)
            var headers = HTTPFields()
            for (name, value) in incoming.headers {
                if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
            }
            return TransportResponse(
                status: .init(code: Int(incoming.status.code), reasonPhrase: incoming.status.reasonPhrase),
                headers: headers,
                body: Array(body.readableBytesView)
            )
        } catch {
            if Task.isCancelled || error is CancellationError { throw CancellationError() }
            throw HTTPError(error, request: request, limit: maximumBodyBytes)
        }
    }

    /// `HTTPTransport`.
    public var description: String { "HTTPTransport" }
}

extension HTTPError {
    /// The error behind one of AsyncHTTPClient's.
    fileprivate init(_ error: any Error, request: TransportRequest, limit: Int) {
        switch error {
        case is NIOTooManyBytesError:
            self.init(.bodyTooLarge, "the body is longer than \(limit) bytes", request: request)
        case let error as HTTPClientError where Self.timeouts.contains(error):
            self.init(.timedOut, "no answer in time", request: request)
        case let error as HTTPClientError where Self.badAddresses.contains(error):
            self.init(.badRequest, "no address of a web server", request: request)
        case let error as HTTPClientError where error.shortDescription == "Unsupported scheme":
            self.init(.badRequest, "no address of a web server", request: request)
        default:
            let reason = Self.isRefusal(error) ? "the connection was refused" : "no connection: \(error)"
            self.init(.unreachable, reason, request: request)
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
    ]
    private static let badAddresses: [HTTPClientError] = [.invalidURL, .emptyScheme, .emptyHost]

    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as IOError: error.errnoCode == ECONNREFUSED
        case let error as NIOConnectionError: error.connectionErrors.contains { isRefusal($0.error) }
        default: false
        }
    }
}
