import HTTPTypes
import Hummingbird
import SluiceFilters

/// Counts requests by route; paths that are none are one, so that nobody makes the hub remember what they make up.
struct MetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    let counters: HubCounters
    let timer: CallTimer

    @concurrent func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let begun = timer.now
        let response = try await next(request, context)
        let method = knownMethods.contains(request.method) ? request.method.rawValue : "other"
        counters.countRequest(
            HubCounters.Route(method: method, path: context.endpointPath ?? "none"),
            status: response.status.code,
            time: timer.now - begun
        )
        return response
    }
}

private let knownMethods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .delete, .patch, .options, .trace]
