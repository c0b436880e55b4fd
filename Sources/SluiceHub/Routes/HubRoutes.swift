#if Hub
import HTTPTypes
import Hummingbird

/// The hub's routes, by what they are about; each comes with its description.
struct HubRoutes: Sendable {
    let hub: StreamHub
    let settings: HubSettings
    let access: Access
    let proxies: Proxies
    let tokens: TokenDesk
    private let names: HostNames
    /// Bounds the requests to webhooks by address.
    let webhookLimiter: WebhookLimiter
    /// Bounds the bodies of webhooks that have arrived and are not stored yet.
    let webhookBodies: WebhookBodies

    /// - Parameter host: the address that the hub is bound to.
    init(hub: StreamHub, settings: HubSettings, host: String = "127.0.0.1") {
        self.hub = hub
        self.settings = settings
        access = Access(token: settings.token, timer: hub.around.timer)
        tokens = TokenDesk(store: hub.around.store, access: access, clock: hub.around.wallClock)
        proxies = Proxies(settings.proxies, hasTLS: settings.tls != nil)
        webhookLimiter = WebhookLimiter(perSecond: settings.limits.webhooksPerSecond)
        webhookBodies = WebhookBodies(longest: settings.limits.bodySize)
        names = HostNames(host: host, names: settings.names)
    }

    /// All that the API serves.
    var operations: [Operation] {
        (streamOperations + revisionOperations + documentOperations + runOperations + sinkOperations
            + deadLetterOperations + eventOperations + groupOperations + leaseOperations + serviceOperations
            + sessionOperations + tokenOperations + webhookOperations + trialOperations + stackOperations
            + stackRevisionOperations + overviewOperations + workerOperations).map(\.whole)
    }

    func router() -> Router<HubRequestContext> {
        let router = Router(context: HubRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.addMiddleware {
            HubMiddleware(
                names: names,
                access: access,
                proxies: proxies,
                counters: hub.around.counters,
                timer: hub.around.timer
            )
        }
        router.get("/") { request, _ in try PageFile.response(for: "index.html", to: request) }
        router.get("/page/:name") { request, context in
            try PageFile.response(for: context.parameters.require("name"), to: request)
        }
        let operations = operations
        var methods: [String: [HTTPRequest.Method]] = ["/": [.get], "/page/{name}": [.get]]
        for operation in operations {
            router.on(operation.pattern, method: operation.method) {
                [role = operation.role, handler = operation.handler] in
                if let role { try $1.identity.require(role) }
                return try await handler($0, $1)
            }
            methods[operation.path, default: []].append(operation.method)
        }
        // The answer names the method that the path refuses and those that it accepts.
        for (path, allowed) in methods {
            let names = (allowed.contains(.get) ? allowed + [.head] : allowed).map(\.rawValue).sorted()
            for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch, .options, .trace]
            where !allowed.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw Problem(
                        .methodNotAllowed,
                        "\(method.rawValue) is not for \(path): \(names.joined(separator: ", "))",
                        headers: [.allow: names.joined(separator: ", ")]
                    )
                }
            }
        }
        return router
    }
}
#endif
