#if HTTP
public import Sluice

/// A filter that converts models of the lower layer to their raw form for requests, and back for answers; see
/// ``ModelFilter``.
public struct RawFilter<Request: RawEncodable & Sendable, Response: RawDecodable & Sendable>: Filter<
    Request, Response, Request.Raw, Response.Raw
>
{
    /// Makes a filter.
    public init() {}

    /// Converts `request` to its raw form, calls `next`, and reads its answer; throws the errors of the models and of
    /// `next`.
    ///
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request.Raw, Response.Raw>
    ) async throws -> Response {
        try Response.from(raw: try await next.process(try request.toRaw()))
    }
}
#endif
