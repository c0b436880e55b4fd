public import Sluice

/// Turns models of the lower layer into their raw form on the way out, and back on the way in; see ``ModelFilter``.
public struct RawFilter<Request: RawEncodable & Sendable, Response: RawDecodable & Sendable>: Filter<
    Request, Response, Request.Raw, Response.Raw
>
{
    /// Makes a filter.
    public init() {}

    /// Turns `request` into its raw form, calls `next`, and reads its answer; throws what the models throw.
    ///
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request.Raw, Response.Raw>
    ) async throws -> Response {
        try Response.from(raw: try await next.process(try request.toRaw()))
    }
}
