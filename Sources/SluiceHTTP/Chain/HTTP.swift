#if HTTP
public import Foundation
public import HTTPTypes
import Sluice

/// Calls of a server in one line, with the defaults of ``URLChainBuilder``.
///
/// ```swift
/// struct Ship: Codable, Sendable {
///     var name: String
/// }
/// let ship = try await HTTP.get("https://api.example.com/ships/1", as: Ship.self)
/// let renamed = try await HTTP.put("https://api.example.com/ships/1", Ship(name: "Ada"), as: Ship.self)
/// try await HTTP.delete("https://api.example.com/ships/1")
/// ```
///
/// An address is a `URL`, a text, or any other route. A model is any `Codable` type; one that also has a mapping of its
/// own (``RawMappable``, ``DTOConvertible``) is read and written by that. Every function makes a chain for its call: a
/// program that calls the same address often, or that needs a retry, a cache, or credentials, builds a chain once, or
/// passes a builder:
///
/// ```swift
/// let careful = URLChainBuilder<URL>().retry(maxAttempts: 3).timeout(.seconds(10))
/// let names = try await HTTP.get("https://api.example.com/names", as: [String].self, with: careful)
/// ```
///
/// All functions throw ``HTTPError`` when the request can't be made or sent, or has no usable answer, including a status
/// from 400 to 599. Errors of the builder's own filters, such as ``OAuthError``, come unchanged; ``RequestChain/call(_:)``
/// wraps them. They throw `CancellationError` when the task is canceled, which ends the exchange on the wire.
public enum HTTP {
    /// Fetches a model with GET.
    ///
    /// - Parameters:
    ///   - route: the address.
    ///   - type: the type of the model.
    ///   - query: items that are appended to the query of the address, sorted by name.
    ///   - headers: header fields, which replace those of the builder with the same name.
    ///   - builder: the builder with all other settings.
    nonisolated(nonsending) public static func get<Response: Decodable & Sendable>(
        _ route: some URLRouteProvider,
        as type: Response.Type,
        query: [String: any Encodable & Sendable] = [:],
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws -> Response {
        let builder = try prepared(builder, .get, route, headers)
        let chain: RequestChain<Void, Response> = (query.isEmpty ? builder : builder.set(query: query)).build()
        return try await chain.process()
    }

    /// Fetches the bytes of an answer with GET.
    nonisolated(nonsending) public static func data(
        _ route: some URLRouteProvider,
        query: [String: any Encodable & Sendable] = [:],
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws -> Data {
        let builder = try prepared(builder, .get, route, headers)
        return try await (query.isEmpty ? builder : builder.set(query: query)).loadData().process()
    }

    /// Fetches the status and the header fields of a resource with HEAD.
    nonisolated(nonsending) public static func head(
        _ route: some URLRouteProvider,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws -> Answer<Void> {
        let chain: RequestChain<Void, Void> = try prepared(builder, .head, route, headers).build()
        return try await chain.withHead.process()
    }

    /// Sends a model with POST and returns the model of the answer.
    ///
    /// - Parameters:
    ///   - route: the address.
    ///   - body: the model that is sent, as JSON unless the builder has another encoding.
    ///   - type: the type of the answer's model.
    ///   - headers: header fields, which replace those of the builder with the same name.
    ///   - builder: the builder with all other settings.
    nonisolated(nonsending) public static func post<Request: Encodable & Sendable, Response: Decodable & Sendable>(
        _ route: some URLRouteProvider,
        _ body: Request,
        as type: Response.Type,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws -> Response {
        try await send(.post, route, body, as: type, headers: headers, with: builder)
    }

    /// Sends a model with POST; any answer that is not an error succeeds.
    nonisolated(nonsending) public static func post<Request: Encodable & Sendable>(
        _ route: some URLRouteProvider,
        _ body: Request,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws {
        try await send(.post, route, body, headers: headers, with: builder)
    }

    /// Sends a model with PUT and returns the model of the answer.
    nonisolated(nonsending) public static func put<Request: Encodable & Sendable, Response: Decodable & Sendable>(
        _ route: some URLRouteProvider,
        _ body: Request,
        as type: Response.Type,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws -> Response {
        try await send(.put, route, body, as: type, headers: headers, with: builder)
    }

    /// Sends a model with PUT; any answer that is not an error succeeds.
    nonisolated(nonsending) public static func put<Request: Encodable & Sendable>(
        _ route: some URLRouteProvider,
        _ body: Request,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws {
        try await send(.put, route, body, headers: headers, with: builder)
    }

    /// Sends a model with PATCH and returns the model of the answer.
    nonisolated(nonsending) public static func patch<Request: Encodable & Sendable, Response: Decodable & Sendable>(
        _ route: some URLRouteProvider,
        _ body: Request,
        as type: Response.Type,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws -> Response {
        try await send(.patch, route, body, as: type, headers: headers, with: builder)
    }

    /// Sends a model with PATCH; any answer that is not an error succeeds.
    nonisolated(nonsending) public static func patch<Request: Encodable & Sendable>(
        _ route: some URLRouteProvider,
        _ body: Request,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws {
        try await send(.patch, route, body, headers: headers, with: builder)
    }

    /// Deletes a resource and returns the model of the answer.
    nonisolated(nonsending) public static func delete<Response: Decodable & Sendable>(
        _ route: some URLRouteProvider,
        as type: Response.Type,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws -> Response {
        let chain: RequestChain<Void, Response> = try prepared(builder, .delete, route, headers).build()
        return try await chain.process()
    }

    /// Deletes a resource; any answer that is not an error succeeds.
    nonisolated(nonsending) public static func delete(
        _ route: some URLRouteProvider,
        headers: HTTPFields = [:],
        with builder: URLChainBuilder<URL> = defaults
    ) async throws {
        let chain: RequestChain<Void, Void> = try prepared(builder, .delete, route, headers).build()
        try await chain.process()
    }

    /// The builder of calls that name no other: `URLChainBuilder()`.
    public static let defaults = URLChainBuilder<URL>()

    // MARK: - Parts

    nonisolated(nonsending) private static func send<Request: Encodable & Sendable, Response: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ route: some URLRouteProvider,
        _ body: Request,
        as type: Response.Type,
        headers: HTTPFields,
        with builder: URLChainBuilder<URL>
    ) async throws -> Response {
        try await prepared(builder, method, route, headers).build(from: Request.self, to: type).process(body)
    }

    nonisolated(nonsending) private static func send<Request: Encodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ route: some URLRouteProvider,
        _ body: Request,
        headers: HTTPFields,
        with builder: URLChainBuilder<URL>
    ) async throws {
        let chain: RequestChain<Request, Void> = try prepared(builder, method, route, headers).build()
        try await chain.process(body)
    }

    private static func prepared(
        _ builder: URLChainBuilder<URL>,
        _ method: HTTPRequest.Method,
        _ route: some URLRouteProvider,
        _ headers: HTTPFields
    ) throws -> URLChainBuilder<URL> {
        let url: URL
        do { url = try route.url() } catch {
            throw HTTPError(.badRequest, "the request cannot be made: \(error)", request: nil, cause: error)
        }
        let routed = builder.route(method, url)
        return headers.isEmpty ? routed : routed.set(headers: headers)
    }
}
#endif
