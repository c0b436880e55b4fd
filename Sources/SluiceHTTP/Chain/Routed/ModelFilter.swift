public import Sluice

/// Turns models of the application into those of the lower layer on the way out, and back on the way in.
///
/// It knows nothing of HTTP: with ``RawFilter`` and ``RouteFilter`` it serves any transport.
///
/// ```swift
/// enum Topic: Sendable { case users }
/// let ask = ModelFilter<User, User>()
///     .andThen(RawFilter())
///     .andThen(RouteFilter(to: Topic.users))
///     .andThen(AnyNode { (request: RoutedRequest<Topic, JSON>) in request.raw })
/// let same = try await ask.process(User(name: "Ada"))
/// ```
public struct ModelFilter<Request: DTOEncodable & Sendable, Response: DTODecodable & Sendable>: Filter<
    Request, Response, Request.DTO, Response.DTO
>
where Request.DTO: Sendable, Response.DTO: Sendable {
    /// Makes a filter.
    public init() {}

    /// Turns `request` into its DTO, calls `next`, and turns its DTO into the answer; throws what the models throw.
    ///
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request.DTO, Response.DTO>
    ) async throws -> Response {
        try Response.from(dto: try await next.process(try request.toDTO()))
    }
}
