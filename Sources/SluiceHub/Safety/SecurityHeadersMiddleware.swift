import HTTPTypes
import Hummingbird

/// What every answer says to browsers: nothing from another host, no inline script, in nobody's frame, and for nobody
/// else's page.
struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // A policy that is stricter stays. Nothing else here is said by a route, so that nothing is looked for.
        if !response.headers.contains(.contentSecurityPolicy) { response.headers.append(policy) }
        response.headers.append(contentsOf: others)
        return response
    }
}

private let policy = HTTPField(
    name: .contentSecurityPolicy,
    value: "default-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "object-src 'none'"
)

private let others: [HTTPField] = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
].compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
