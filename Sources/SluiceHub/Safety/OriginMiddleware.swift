import HTTPTypes
import Hummingbird

/// Refuses what comes by another name than loopback's or from another site's page: a page elsewhere can make a browser
/// send requests here, also under a name that it has bound to this address (DNS rebinding).
struct OriginMiddleware<Context: RequestContext>: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let problem = Self.refusal(host: request.head.authority, origin: request.headers[.origin]) { throw problem }
        return try await next(request, context)
    }

    /// Why a request with these two fields is refused; `nil` when it is not.
    static func refusal(host: String?, origin: String?) -> Problem? {
        guard let host, isLoopback(host) else {
            return Problem(.misdirectedRequest, "this hub answers to names of loopback only")
        }
        if let origin, origin.lowercased() != "http://" + host.lowercased() {
            return Problem(.forbidden, "requests from pages of '\(origin)' are refused")
        }
        return nil
    }

    /// Whether `host`, with or without a port, is a name of loopback.
    static func isLoopback(_ host: String) -> Bool {
        let host = host.lowercased()
        return ["127.0.0.1", "localhost", "[::1]"].contains { name in
            guard host.hasPrefix(name) else { return false }
            let rest = host.dropFirst(name.count)
            return rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil
        }
    }
}
