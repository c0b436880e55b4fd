#if Hub
import HTTPTypes
import Hummingbird
import SluiceJSON

extension HubRoutes {
    /// The page's login, on a hub with a token.
    var sessionOperations: [Operation] {
        [
            Operation(
                method: .post,
                path: "/session",
                id: "logIn",
                role: nil,
                summary: "Takes the token and gives a cookie for it",
                body: "Login",
                status: .noContent,
                problems: [.notFound, .contentTooLarge, .unprocessableContent]
            ) { request, context in
                guard let token = try await request.json(upTo: 16 << 10)["token"]?.string else {
                    throw Problem(.unprocessableContent, "a login is {\"token\": \"…\"}")
                }
                let id = try access.logIn(token, from: context.client(of: request, proxies: proxies))
                return answer(id, request, context)
            },
            Operation(
                method: .delete,
                path: "/session",
                id: "logOut",
                role: .read,
                summary: "Ends the session of the cookie",
                status: .noContent
            ) { request, context in
                let cookie = context.cookie(of: request, proxies: proxies)
                if let id = SessionCookie.id(of: request, named: cookie) { access.logOut(id) }
                return answer(nil, request, context)
            },
        ]
    }

    /// Returns an answer that sets or removes the cookie.
    private func answer(_ session: String?, _ request: Request, _ context: HubRequestContext) -> Response {
        let cookie = SessionCookie.field(
            session,
            named: context.cookie(of: request, proxies: proxies),
            isSecure: context.isSecure(request, proxies: proxies)
        )
        return Response(status: .noContent, headers: [.setCookie: cookie, .cacheControl: "no-store"])
    }
}
#endif
