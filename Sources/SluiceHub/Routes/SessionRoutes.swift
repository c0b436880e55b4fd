import HTTPTypes
import Hummingbird
import SluiceJSON

extension HubRoutes {
    /// The page's login, where the hub has a token.
    var sessionOperations: [Operation] {
        [
            Operation(
                method: .post,
                path: "/session",
                id: "logIn",
                summary: "Takes the token and gives a cookie for it",
                body: "Login",
                status: .noContent,
                problems: [.notFound, .contentTooLarge, .unprocessableContent]
            ) { request, context in
                guard let token = try await request.json(upTo: 16 << 10)["token"]?.string else {
                    throw Problem(.unprocessableContent, "a login is {\"token\": \"…\"}")
                }
                let id = try access.logIn(token, from: context.client(of: request, trustsProxy: settings.trustsProxy))
                return answer(id, request)
            },
            Operation(
                method: .delete,
                path: "/session",
                id: "logOut",
                summary: "Ends the session of the cookie",
                status: .noContent
            ) { request, _ in
                access.logOut(request)
                return answer(nil, request)
            },
        ]
    }

    private func answer(_ session: String?, _ request: Request) -> Response {
        let scheme = HTTPField.Name("X-Forwarded-Proto").flatMap { request.headers[$0] }
        let isSecure = settings.trustsProxy && scheme?.lowercased() == "https"
        let cookie = SessionCookie.field(session, isSecure: isSecure)
        return Response(status: .noContent, headers: [.setCookie: cookie, .cacheControl: "no-store"])
    }
}
