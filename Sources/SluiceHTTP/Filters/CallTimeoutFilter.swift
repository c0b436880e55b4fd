#if HTTP
public import Sluice
public import SluiceFilters

/// A filter that ends a call, or one attempt of it, that takes too long, with an error that names the request and the
/// time limit.
///
/// ```swift
/// let node = CallTimeoutFilter(.seconds(2), of: .attempt).andThen(HTTPTransport())
/// // HTTPError: GET http://example.com/: no answer within 2.0 seconds
/// ```
public struct CallTimeoutFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let filter: TimeoutFilter<TransportRequest, TransportResponse>
    private let timeout: HTTPError.Timeout
    private let duration: Duration

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - duration: the time limit for `next` until the head of its answer, or until its end if an inner stage
    ///     collects the body.
    ///   - timeout: the name of the time limit in the error.
    ///   - clock: the clock that measures the time.
    public init(_ duration: Duration, of timeout: HTTPError.Timeout, clock: any Clock<Duration> = .continuous) {
        filter = TimeoutFilter(duration, clock: clock)
        self.timeout = timeout
        self.duration = duration
    }

    /// Calls `next`.
    ///
    /// - Throws: ``HTTPError`` with `timedOut` when the time is over, after canceling the work inside; the error of
    ///   `next`. If the request is not idempotent, the error says that the server may have processed it.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let start = request.isRepeatable ? nil : StartedNode(next: next)
        do {
            guard let start else { return try await filter.process(request, next: next) }
            return try await filter.process(request, next: start)
        } catch let error as TimeoutError {
            throw Self.error("\(error)", request, timeout, error, hasStarted: start?.hasStarted)
        } catch let error as DeadlineError {
            throw Self.error("\(error)", request, .total, error, hasStarted: start?.hasStarted)
        }
    }

    private static func error(
        _ message: String,
        _ request: TransportRequest,
        _ timeout: HTTPError.Timeout,
        _ cause: any Error,
        hasStarted: Bool?
    ) -> HTTPError {
        if hasStarted == false {
            return HTTPError(.timedOut, message, request: request, timeout: timeout, cause: cause, isUnsent: true)
        }
        return HTTPError(.timedOut, sent: request, message, timeout: timeout, cause: cause)
    }

    /// The description `CallTimeoutFilter(attempt)`.
    public var description: String { "CallTimeoutFilter(\(timeout.rawValue))" }
}

extension CallTimeoutFilter: StackStage {
    /// The role ``StackRole/timeout(_:)``.
    public var stackRole: StackRole { .timeout(duration) }
}

/// A node that notes that it was called, after which the request may have been sent.
private struct StartedNode<Next: Node<TransportRequest, TransportResponse>>: Node {
    let next: Next
    private let start = Start()

    private final class Start: Sendable {
        let value = Locked(false)
    }

    init(next: Next) { self.next = next }

    var hasStarted: Bool { start.value.withLock { $0 } }

    nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        start.value.withLock { $0 = true }
        return try await next.process(request)
    }
}
#endif
