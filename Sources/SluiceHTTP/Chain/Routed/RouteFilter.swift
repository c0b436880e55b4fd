#if HTTP
public import Sluice

/// A raw model and its destination, for any protocol.
///
/// ```swift
/// enum Topic: Sendable { case users }
/// let request = RoutedRequest(route: Topic.users, metadata: ["trace": "1"], raw: JSON.null)
/// ```
public struct RoutedRequest<Route: Sendable, Raw: Sendable>: Sendable {
    /// The destination: an address, a topic, or the name of a method.
    public var route: Route
    /// The metadata, which corresponds to header fields.
    public var metadata: [String: String]
    /// The model.
    public var raw: Raw

    /// Makes a request.
    public init(route: Route, metadata: [String: String] = [:], raw: Raw) {
        self.route = route
        self.metadata = metadata
        self.raw = raw
    }
}

/// A filter that adds a route to a raw model; the route may have any type.
///
/// See ``ModelFilter`` for a chain that doesn't use HTTP.
public struct RouteFilter<Route: Sendable, Request: Sendable, Response: Sendable>: Filter<
    Request, Response, RoutedRequest<Route, Request>, Response
>
{
    private let route: Route
    private let metadata: [String: String]

    /// Makes a filter for one route.
    ///
    /// - Parameters:
    ///   - route: The route.
    ///   - metadata: the metadata of every request.
    public init(to route: Route, metadata: [String: String] = [:]) {
        self.route = route
        self.metadata = metadata
    }

    /// Calls `next` with the request and its route; throws the error of `next`.
    ///
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<RoutedRequest<Route, Request>, Response>
    ) async throws -> Response {
        try await next.process(RoutedRequest(route: route, metadata: metadata, raw: request))
    }
}
#endif
