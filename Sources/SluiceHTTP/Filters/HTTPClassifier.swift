#if HTTP
import Foundation
import HTTPTypes
public import SluiceFilters

/// The meaning of answers and errors of HTTP, for every filter of a chain.
///
/// | result | meaning |
/// |---|---|
/// | 408, 425, 429, 500, 502, 503, 504 | a transient failure, not before `Retry-After` |
/// | other 5xx statuses, an invalid answer | a failure |
/// | every other status, including 404 | a success, since the server answered |
/// | no connection, a broken connection, a timeout | a transient failure |
/// | the deadline of the call, an unreadable body | a failure |
/// | a request that can't be sent, cancellation | no information |
///
/// ```swift
/// let breaker = BreakerFilter<TransportRequest, TransportResponse>(Breaker())  // five 503s open it, five 404s don't
/// ```
///
/// A request may be repeated if its body can be sent again, and its method is idempotent, it has an `Idempotency-Key`,
/// or it is known that the server has not processed it.
public struct HTTPClassifier: Sendable {
    /// The statuses of transient failures.
    public static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    private let statuses: Set<Int>
    private let clock: WallClock

    /// Makes a classifier.
    ///
    /// - Parameters:
    ///   - statuses: the statuses of transient failures.
    ///   - clock: the clock with which the date of a `Retry-After` is compared.
    public init(passing statuses: Set<Int> = passingStatuses, clock: WallClock = .system) {
        self.statuses = statuses
        self.clock = clock
    }

    /// Returns the meaning of an answer.
    public func responseClass(of response: TransportResponse) -> ResponseClass {
        if statuses.contains(response.status.code) { return .retryable(after: response.retryAfter(now: clock.now)) }
        return switch response.status.kind {
        case .serverError, .invalid: .failure
        default: .success
        }
    }

    /// Returns the meaning of an error of a transport or of a ``StatusFilter``.
    public func responseClass(of error: any Error) -> ResponseClass {
        guard let error = error as? HTTPError else { return .of(error) }
        switch error.code {
        case .badStatus: return error.response.map(responseClass) ?? .failure
        case .unreachable: return .retryable()
        case .timedOut: return error.timeout == .total ? .failure : .retryable()
        case .badRequest, .canceled: return .ignorable
        case .failed: return error.cause.map(responseClass) ?? .failure
        default: return .failure
        }
    }

    func responseClass<Response>(of result: Result<Response, any Error>) -> ResponseClass {
        switch result {
        case .success(let response as TransportResponse): responseClass(of: response)
        case .success: .success
        case .failure(let error): responseClass(of: error)
        }
    }

    /// Returns whether a request may be sent again after an error.
    static func mayBeRepeated(_ request: TransportRequest, after error: (any Error)?) -> Bool {
        if request.isRepeatable { return true }
        return request.body?.isReplayable != false && (error as? HTTPError)?.isUnprocessed == true
    }
}

extension TransportRequest: ClassifiedRequest {
    /// Returns the meaning of a result, according to ``HTTPClassifier``.
    public func responseClass<Response>(of result: Result<Response, any Error>) -> ResponseClass {
        HTTPClassifier().responseClass(of: result)
    }

    /// Returns whether the request is ``isRepeatable`` or was not processed, and its body can be sent again.
    public func mayBeRepeated<Response>(after result: Result<Response, any Error>) -> Bool {
        if case .failure(let error) = result { return HTTPClassifier.mayBeRepeated(self, after: error) }
        return isRepeatable
    }

    /// The same as ``isRepeatable``.
    public var mayBeHedged: Bool { isRepeatable }

    /// Returns whether a result is a 429 or 503.
    public func isRefusal<Response>(_ result: Result<Response, any Error>) -> Bool {
        switch result {
        case .success(let response as TransportResponse): [429, 503].contains(response.status.code)
        case .success: false
        case .failure(let error as HTTPError):
            error.code == .badStatus && [429, 503].contains(error.response?.status.code)
        case .failure(let error): error is OverloadedError || error is RateLimitError
        }
    }

    /// Returns whether a result is a 401 for the origin of the call's first request, and the body can be sent again.
    public func asksForCredentials<Response>(_ result: Result<Response, any Error>) -> Bool {
        isRefused(result, by: [401], from: .first)
    }

    /// Returns the request with a note that a stored refusal is not its answer.
    public func refreshed() -> TransportRequest {
        var request = self
        request.note { $0.isRefreshed = true }
        return request
    }

    /// Returns whether a result means that the credentials of a request are invalid, and the request can be sent again.
    func isRefused<Response>(
        _ result: Result<Response, any Error>,
        by statuses: Set<Int>,
        from origins: FieldOrigins
    ) -> Bool {
        guard body?.isReplayable != false, origins.includes(self) else { return false }
        switch result {
        case .success(let response as TransportResponse): return statuses.contains(response.status.code)
        case .success: return false
        case .failure(let error as HTTPError):
            return error.code == .badStatus && error.response.map { statuses.contains($0.status.code) } == true
        case .failure(let error): return error is UnauthorizedError
        }
    }

    /// Returns the error of an answer that is a failure.
    public func failure<Response>(in response: Response) -> (any Error)? {
        guard let response = response as? TransportResponse, HTTPClassifier().responseClass(of: response).isFailure
        else { return nil }
        return HTTPError(.badStatus, response.status.summary, request: self, response: response)
    }

    /// Returns the request with an `Idempotency-Key`, unless it has one: a string of a structured field (RFC 9651).
    /// Characters outside ASCII are percent-encoded.
    public func identified(by idempotencyKey: String) -> TransportRequest {
        guard headers[.idempotencyKey] == nil else { return self }
        var request = self
        request.headers[.idempotencyKey] = StructuredField.string(idempotencyKey)
        return request
    }
}

extension HTTPError: ClassifiedError {
    /// The meaning of the error for filters around a whole chain, which don't see the request: if the request must not
    /// be sent again, the failure does not count as transient.
    public var responseClass: ResponseClass {
        let known = HTTPClassifier().responseClass(of: self)
        guard case .retryable = known else { return known }
        // Without a request, nothing was sent.
        return request.map { HTTPClassifier.mayBeRepeated($0, after: self) } ?? true ? known : .failure
    }
}
#endif
