#if HTTP
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import SluiceFilters

/// The progress of an exchange before its failure.
enum TransportPhase {
    /// The time before the head of the answer.
    case beforeHead
    /// The time after the status and the fields, with no body or a part of it.
    case afterHead
}

extension HTTPError {
    /// Makes the error for callers that corresponds to an error of AsyncHTTPClient.
    init(_ error: any Error, _ phase: TransportPhase, request: TransportRequest) {
        switch error {
        case let error as HTTPError: self = error
        case let error as NIOTooManyBytesError:
            let limit = error.maxBytes.map { "\($0) bytes" } ?? "allowed"
            self.init(.bodyTooLarge, "the body is longer than \(limit)", request: request)
        case let error as UnpinnedKeyError:
            self.init(.unreachable, "\(error)", request: request, cause: error, isUnsent: true)
        case let error as ProxyRulesError:
            self.init(.badRequest, "\(error)", request: request, cause: error, isUnsent: true)
        case let error as LostExchange:
            self.init(.unreachable, sent: request, "no answer: \(Self.reason(error.cause))")
        case let error as HTTPClientError where Self.connectionTimeouts.contains(error):
            self.init(.timedOut, "no connection in time", request: request, timeout: .connection, isUnsent: true)
        case let error as NIOConnectionError where error.connectionErrors.contains { Self.isConnectTimeout($0.error) }:
            self.init(.timedOut, "no connection in time", request: request, timeout: .connection, isUnsent: true)
        case _ where Self.isConnectTimeout(error):
            self.init(.timedOut, "no connection in time", request: request, timeout: .connection, isUnsent: true)
        case let error as HTTPClientError where error == .deadlineExceeded:
            let reason = phase == .beforeHead ? "no answer" : "the answer broke off"
            let text = "\(reason): \(DeadlineError())"
            self.init(.timedOut, sent: request, text, timeout: .total, cause: DeadlineError())
        case _ where error is IdleTimeout || Self.idleTimeouts.contains { $0 == error as? HTTPClientError }:
            let reason = phase == .beforeHead ? "no answer in time" : "the answer broke off: no more of it in time"
            self.init(.timedOut, sent: request, reason, timeout: .idle)
        case let error as HTTPClientError where error == .cancelled || error == .alreadyShutdown:
            self.init(.failed, "the transport was shut down", request: request)
        case let error as HTTPClientError where Self.badAddresses.contains(error):
            self.init(.badRequest, "no address of a web server", request: request)
        case let error as HTTPClientError where error.shortDescription == "Unsupported scheme":
            self.init(.badRequest, "no address of a web server", request: request)
        case _ where Self.module(of: error) == "NIOHTTPCompression":
            self.init(.badBody, "the body cannot be decompressed", request: request)
        case let error as ContentDecodingError:
            self.init(.badBody, "the body cannot be decompressed: \(error)", request: request)
        case _ where phase == .afterHead:
            self.init(.unreachable, sent: request, "the answer broke off: \(Self.reason(error))")
        case _ where Self.isRefusal(error):
            self.init(.unreachable, "the connection was refused", request: request, isUnsent: true)
        case _ where Self.isWithoutConnection(error):
            self.init(.unreachable, "no connection: \(Self.reason(error))", request: request, isUnsent: true)
        default:
            self.init(.unreachable, sent: request, "no answer: \(Self.reason(error))")
        }
    }

    /// Makes the error of a request that the server may have processed. If the request must not be repeated, the error
    /// says so, since the caller has to know.
    init(
        _ code: Code,
        sent request: TransportRequest,
        _ message: String,
        timeout: Timeout? = nil,
        cause: (any Error)? = nil
    ) {
        let text = request.isRepeatable ? message : message + "; the server may have processed the request"
        self.init(code, text, request: request, timeout: timeout, cause: cause)
    }

    private static let connectionTimeouts: [HTTPClientError] = [
        .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout,
        .httpProxyHandshakeTimeout,
    ]
    private static let idleTimeouts: [HTTPClientError] = [.readTimeout, .writeTimeout]
    private static let badAddresses: [HTTPClientError] = [.invalidURL, .emptyScheme, .emptyHost]
    private static let handshakes: [HTTPClientError] = [.invalidProxyResponse, .proxyAuthenticationRequired]

    private static func isConnectTimeout(_ error: any Error) -> Bool {
        if case .connectTimeout? = error as? ChannelError { true } else { false }
    }

    /// Returns the module that declares an error's type, for types of packages that are not direct dependencies.
    private static func module(of error: any Error) -> Substring {
        String(reflecting: type(of: error)).prefix { $0 != "." }
    }

    /// Returns the description of an error for people.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError where error == .remoteConnectionClosed: "the connection was closed"
        case let error as HTTPParserError where error == .invalidEOFState || error == .closedConnection:
            "the connection was closed"
        case let error as IOError where error.errnoCode == ECONNRESET: "the connection was reset"
        case let error as IOError where error.errnoCode == EPIPE: "the connection was closed"
        case let error as ChannelError where error == .ioOnClosedChannel || error == .eof: "the connection was closed"
        case let error as NotHTTP: "not an answer of HTTP" + (error.reason.map { " (\($0))" } ?? "")
        case let error as HTTPParserError: "not an answer of HTTP (\(error))"
        case let error as HTTPClientError: error.shortDescription
        default: "\(error)"
        }
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case let error as IOError: error.errnoCode == ECONNREFUSED
        case let error as NIOConnectionError: error.connectionErrors.contains { isRefusal($0.error) }
        default: false
        }
    }

    /// Returns whether the connection was never made; an error that doesn't show this counts as one with a connection.
    private static func isWithoutConnection(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError, is SocketAddressError: true
        case let error as IOError:
            [EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EMFILE, ENFILE].contains(error.errnoCode)
        case let error as HTTPClientError: handshakes.contains(error)
        default: module(of: error) == "NIOSSL" && !"\(error)".contains("uncleanShutdown")
        }
    }
}
#endif
