public import Sluice
public import SluiceFilters

/// Ends a call, or one try of it, that takes too long, and says of which request and in which time.
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
    ///   - duration: how long `next` may take to the head of its answer, or to its end where the body is gathered inside.
    ///   - timeout: what the error calls the time.
    ///   - clock: measures it.
    public init(_ duration: Duration, of timeout: HTTPError.Timeout, clock: any Clock<Duration> = .continuous) {
        filter = TimeoutFilter(duration, clock: clock)
        self.timeout = timeout
        self.duration = duration
    }

    /// Calls `next`.
    ///
    /// - Throws: ``HTTPError`` with `timedOut` when the time is over, the work inside being cancelled; the error of
    ///   `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        do { return try await filter.process(request, next: next) } catch let error as TimeoutError {
            throw HTTPError(.timedOut, "\(error)", request: request, timeout: timeout, cause: error)
        } catch let error as DeadlineExceeded {
            throw HTTPError(.timedOut, "\(error)", request: request, timeout: .total, cause: error)
        }
    }

    /// `CallTimeoutFilter(attempt)`.
    public var description: String { "CallTimeoutFilter(\(timeout.rawValue))" }
}

extension CallTimeoutFilter: StackStage {
    /// ``StackRole/timeout(_:)``.
    public var stackRole: StackRole { .timeout(duration) }
}
