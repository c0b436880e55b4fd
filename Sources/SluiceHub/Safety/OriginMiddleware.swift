import HTTPTypes
import Hummingbird

/// Refuses what comes by another name than the hub's, or from another site's page.
struct OriginMiddleware<Context: RequestContext>: RouterMiddleware {
    let names: HostNames

    @concurrent func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let problem = names.refusal(host: request.head.authority, origin: request.headers[.origin]) { throw problem }
        return try await next(request, context)
    }
}
