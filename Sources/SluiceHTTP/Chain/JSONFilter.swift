public import HTTPTypes
public import Sluice
public import SluiceJSON

/// Sends a raw model as JSON to a route, and reads the answer as another.
///
/// ```swift
/// let users = JSONFilter<JSON, UserEntry>(.post, route: UserRoute.users).andThen(StatusFilter()).andThen(HTTPTransport())
/// let entry = try await users.process(["name": "Ada"])
/// ```
///
/// What a GET or HEAD takes is not sent.
public struct JSONFilter<Request: RawEncodable & Sendable, Response: RawDecodable & Sendable>: Filter<
    Request, Response, TransportRequest, TransportResponse
>
where Request.Raw == JSON, Response.Raw == JSON {
    private let method: HTTPRequest.Method
    private let route: any URLRouteProvider
    private let headers: HTTPFields

    /// Makes a filter for one route.
    ///
    /// - Parameter headers: sent with every request; those that say what JSON is are added where they are missing.
    public init(_ method: HTTPRequest.Method, route: any URLRouteProvider, headers: HTTPFields = [:]) {
        self.method = method
        self.route = route
        self.headers = headers
    }

    /// Writes `request`, calls `next`, and reads its answer.
    ///
    /// - Throws: the error of the route or a model; ``HTTPError`` when the answer is not JSON; the error of `next`.
    /// - Cancellation: cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<TransportRequest, TransportResponse>
    ) async throws -> Response {
        var outgoing = TransportRequest(method, try route.url(), headers: headers)
        if outgoing.headers[.accept] == nil { outgoing.headers[.accept] = "application/json" }
        if method != .get && method != .head {
            outgoing.body = .bytes(Array(try request.toRaw().description.utf8))
            if outgoing.headers[.contentType] == nil { outgoing.headers[.contentType] = "application/json" }
        }
        let incoming = try await next.process(outgoing)
        let json: JSON
        do {
            let body = incoming.body.bytes ?? []
            json = try body.isEmpty ? .null : JSON(parsing: body)
        } catch {
            throw HTTPError(.badBody, "the body is not JSON: \(error)", request: outgoing, response: incoming)
        }
        return try Response.from(raw: json)
    }
}
