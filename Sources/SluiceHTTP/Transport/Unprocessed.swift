#if HTTP
import AsyncHTTPClient
import NIOCore
import NIOHTTP2

/// A failure after which the server has certainly not processed the request, although there was a connection.
enum Unprocessed {
    /// The connection ended before the request was written to it.
    case unwritten
    /// The server said so: by REFUSED_STREAM, or by a GOAWAY whose last stream came before this one (RFC 9113, 8.7).
    case refused

    /// Makes the failure for an error that came before the head of an answer; returns `nil` if more may have happened.
    init?(_ error: any Error, over lease: ClientLease) {
        switch error {
        case let error as NIOHTTP2Errors.StreamClosed where error.errorCode == .refusedStream:
            self = .refused
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: self = .unwritten
        case let error as NIOHTTP2Errors.StreamError:
            self.init(error.baseError, over: lease)
        // After a request is written, our handlers replace this error with another.
        case let error as HTTPClientError where error == .remoteConnectionClosed && lease.isGuarded:
            self = .unwritten
        // The pool offered a connection that was closed already, which AsyncHTTPClient notes before it writes anything.
        // An error of a request that was written is replaced by our handlers here too.
        case let error as ChannelError where error == .ioOnClosedChannel && lease.isGuarded:
            self = .unwritten
        // The connection was closing when the request's turn came.
        case let error as HTTPClientError where error == .cancelled && lease.isGuarded && !lease.isShutDown:
            self = .unwritten
        default: return nil
        }
    }

    /// Returns the error for callers.
    func error(of request: TransportRequest) -> HTTPError {
        switch self {
        case .unwritten:
            HTTPError(
                .unreachable,
                "no connection: it was closed before anything was sent",
                request: request,
                isUnsent: true
            )
        case .refused:
            HTTPError(
                .unreachable,
                "the server refused the request without processing it",
                request: request,
                isUnprocessed: true
            )
        }
    }
}
#endif
