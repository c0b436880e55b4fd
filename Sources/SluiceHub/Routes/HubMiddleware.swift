#if Hub
import HTTPTypes
import Hummingbird
import SluiceFilters

/// The work before and after every route: it checks the sender, turns a thrown error into a problem document, counts,
/// and sets the fields of every response.
///
/// It is one middleware with a function for each step. Five nested tasks would cost each request time, and an event
/// stream would hold their memory while it is open.
struct HubMiddleware: RouterMiddleware {
    let names: HostNames
    let access: Access
    let proxies: Proxies
    let counters: HubCounters
    let timer: CallTimer

    @concurrent func handle(
        _ request: Request,
        context: HubRequestContext,
        next: @concurrent (Request, HubRequestContext) async throws -> Response
    ) async throws -> Response {
        let begun = timer.now
        var response: Response
        do {
            let isWebhook = WebhookRoutes.isOne(request.method, request.uri.path)
            try names.check(request, ignoringOrigin: isWebhook)
            if !isWebhook { try WriteRules.checkSite(request) }
            if access.isGuarded, !Access.isOpen(request.method, request.uri.path) {
                let (known, identified) = try identify(request, context)
                if !isWebhook { try WriteRules.checkType(request) }
                response = try await next(known, identified)
            } else {
                if !isWebhook { try WriteRules.checkType(request) }
                response = try await next(request, context)
            }
        } catch {
            response = Problem(error).response
            // The answer to a HEAD has no body: one would be taken for the next answer.
            if request.method == .head { response = response.createHeadResponse() }
        }
        // All unknown paths count as one route, so that clients can't create counters.
        let route = HubCounters.Route(request.method, path: context.endpointPath ?? "none")
        counters.countRequest(route, status: response.status.code, time: timer.now - begun)
        response.headers.appendSecurityFields()
        return response
    }

    /// Checks the sender's token, and returns the request and its context with the sender's identity.
    private func identify(
        _ request: Request,
        _ context: HubRequestContext
    ) throws -> (Request, HubRequestContext) {
        var context = context
        context.identity = try access.check(
            request,
            from: context.client(of: request, proxies: proxies),
            cookie: context.cookie(of: request, proxies: proxies)
        )
        // A client can't write under another author's name.
        return (context.identity.name.map { request.authored(by: $0) } ?? request, context)
    }
}
#endif
