public import Sluice

/// Gathers the body of an answer in memory, so that what stands around it sees it whole.
///
/// ```swift
/// let node = BodyFilter(upTo: 1 << 20).andThen(HTTPTransport(body: .streamed))
/// ```
public struct BodyFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let limit: Int

    /// Makes a filter.
    ///
    /// - Parameter limit: how many bytes a body may have.
    public init(upTo limit: Int = 64 << 20) { self.limit = limit }

    /// Calls `next` and reads the body of its answer to the end.
    ///
    /// - Throws: ``HTTPError`` with `bodyTooLarge` when it has more bytes than allowed; the error of `next` and of the
    ///   body.
    /// - Cancellation: ends the exchange.
    nonisolated(nonsending) public func process(
        _ request: TransportRequest,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> TransportResponse {
        let response = try await next.process(request)
        return response.body.bytes == nil ? try await response.whole(upTo: limit, for: request) : response
    }

    /// `BodyFilter`.
    public var description: String { "BodyFilter" }
}
