import HTTPTypes
import Hummingbird

/// Asks for the hub's token, where it has one: for all but the page's files, which say nothing of the hub, `/health`, and
/// the login. A token in the address is not looked at: addresses are written to logs and histories.
struct TokenMiddleware: RouterMiddleware {
    let access: Access
    let trustsProxy: Bool

    @concurrent func handle(
        _ request: Request,
        context: HubRequestContext,
        next: @concurrent (Request, HubRequestContext) async throws -> Response
    ) async throws -> Response {
        if access.isGuarded, !Self.isOpen(request.method, request.uri.path) {
            try access.check(request, from: context.client(of: request, trustsProxy: trustsProxy))
        }
        return try await next(request, context)
    }

    /// Whether a request needs no token. The path is taken as it came: one that is written in another way is not open.
    static func isOpen(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        switch (method, path) {
        case (.get, "/"), (.head, "/"), (.get, "/health"), (.head, "/health"), (.post, "/session"): true
        case (.get, _), (.head, _): path.hasPrefix("/page/")
        default: false
        }
    }
}
