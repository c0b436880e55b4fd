public import Sluice

/// A raw model on its way to somewhere, over whatever protocol.
///
/// ```swift
/// enum Topic: Sendable { case users }
/// let request = RoutedRequest(route: Topic.users, metadata: ["trace": "1"], raw: JSON.null)
/// ```
public struct RoutedRequest<Route: Sendable, Raw: Sendable>: Sendable {
    /// Where it goes: an address, a topic, the name of a method.
    public var route: Route
    /// What goes with it, as header fields do.
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

/// Says where a raw model goes; the route may be of any type.
///
/// See ``ModelFilter`` for a chain over no HTTP at all.
public struct RouteFilter<Route: Sendable, Request: Sendable, Response: Sendable>: Filter<
    Request, Response, RoutedRequest<Route, Request>, Response
>
{
    private let route: Route
    private let metadata: [String: String]

    /// Makes a filter for one route.
    ///
    /// - Parameter metadata: what goes with every request.
    public init(to route: Route, metadata: [String: String] = [:]) {
        self.route = route
        self.metadata = metadata
    }

    /// Calls `next` with the request and its route; throws what that throws.
    ///
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<RoutedRequest<Route, Request>, Response>
    ) async throws -> Response {
        try await next.process(RoutedRequest(route: route, metadata: metadata, raw: request))
    }
}
