#if HTTP
public import Sluice

/// A filter that converts models of the application to those of the lower layer for requests, and back for answers.
///
/// It does not depend on HTTP: with ``RawFilter`` and ``RouteFilter`` it works with any transport.
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

    /// Converts `request` to its DTO, calls `next`, and converts the DTO of the answer; throws the errors of the models
    /// and of `next`.
    ///
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request.DTO, Response.DTO>
    ) async throws -> Response {
        try Response.from(dto: try await next.process(try request.toDTO()))
    }
}
#endif
