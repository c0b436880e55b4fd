import HTTPTypes
public import Sluice

/// Makes an error of every answer that is no success: all of 400 to 599, not a chosen few.
///
/// ```swift
/// let node = StatusFilter().andThen(HTTPTransport())
/// // a 404 throws HTTPError: GET http://example.com/: 404 Not Found
/// ```
public struct StatusFilter: SimpleFilter<TransportRequest, TransportResponse> {
    /// Makes a filter.
    public init() {}

    /// Calls `next`.
    ///
    /// - Throws: ``HTTPError`` with the answer in it when its status is not from 100 to 399; the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let response = try await next.process(request)
        switch response.status.kind {
        case .informational, .successful, .redirection: return response
        case .clientError, .serverError, .invalid:
            throw HTTPError(.badStatus, "\(response.status)", request: request, response: response)
        }
    }
}
