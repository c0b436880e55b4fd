#if HTTP
public import Sluice

/// A filter that collects the body of an answer in memory, so that outer stages see it complete.
///
/// ```swift
/// let node = BodyFilter(upTo: 1 << 20).andThen(HTTPTransport(body: .streamed))
/// ```
public struct BodyFilter: SimpleFilter<TransportRequest, TransportResponse>, CustomStringConvertible {
    private let limit: Int

    /// Makes a filter.
    ///
    /// - Parameter limit: the maximum number of bytes in a body.
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

    /// The description `BodyFilter`.
    public var description: String { "BodyFilter" }
}

extension StageName {
    /// The collection of the body.
    public static let body = StageName("body", .attempt)
}
#endif
