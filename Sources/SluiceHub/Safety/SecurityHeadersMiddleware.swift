import HTTPTypes
import Hummingbird

/// What every answer says to browsers: nothing from another host, no inline script, in nobody's frame, and for nobody
/// else's page.
struct SecurityHeadersMiddleware<Context: RequestContext>: RouterMiddleware {
    private static var policy: String {
        "default-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "object-src 'none'"
    }

    private static var others: KeyValuePairs<String, String> {
        [
            "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        ]
    }

    @concurrent func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // One that is stricter stays.
        if response.headers[.contentSecurityPolicy] == nil { response.headers[.contentSecurityPolicy] = Self.policy }
        response.headers[.xContentTypeOptions] = "nosniff"
        for (name, value) in Self.others { HTTPField.Name(name).map { response.headers[$0] = value } }
        return response
    }
}
