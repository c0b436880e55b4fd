#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import Testing

/// Tests of cookies in chains, over a real server.
@Suite(.timeLimit(.minutes(20))) struct CookieFilterTests {
    /// A login is answered with a redirect and a cookie, which the other pages require.
    @Test func logIn() async throws {
        let server = try OriginServer { request, _ in
            switch (request.path, request["Cookie"]) {
            case ("/login", _): .of(303, [.location: "/home", .setCookie: "session=\(request.body); Path=/; HttpOnly"])
            case ("/logout", _): .of(200, [.setCookie: "session=; Max-Age=0; Path=/"])
            case (_, let cookie?): .of(200, .control("private, max-age=60"), cookie)
            default: .of(401)
            }
        }
        let jar = CookieJar()
        let builder = URLChainBuilder<URL>().set(.cookies, CookieFilter(jar)).set(.cache, CacheFilter(HTTPCache()))
        let home = builder.plain(try server.url("/home"))
        func logIn(_ user: String) async throws -> String {
            let chain: RequestChain<String, TransportResponse> = builder.route(.post, try server.url("/login"))
                .build("login", write: { $1.body = .bytes(Array($0.utf8)) }, read: { $0 })
            return try await chain.process(user).text()
        }
        #expect(await #expect(throws: HTTPError.self) { try await home.process() }?.response?.status == .unauthorized)
        #expect(try await logIn("ada") == "session=ada")
        #expect(try await home.process().text() == "session=ada")
        #expect(server.requests.count == 3)
        _ = try await builder.plain(try server.url("/logout")).process()
        await #expect(throws: HTTPError.self) { try await home.process() }
        // One user never gets the answer of the other.
        #expect(try await logIn("bob") == "session=bob")
        #expect(jar.cookies.map(\.value) == ["bob"])
    }

    /// redirect to another origin × cookie jar: the other server gets none of the first one's cookies.
    @Test func otherOrigins() async throws {
        let server = try OriginServer { request, _ in
            let port = request["Host"]?.split(separator: ":").last ?? ""
            return request.host == "localhost"
                ? .of(200, [.setCookie: "theirs=1"])
                : .of(302, [.location: "http://localhost:\(port)/other", .setCookie: "ours=1"])
        }
        let chain = URLChainBuilder<URL>().set(.cookies, CookieFilter(CookieJar())).plain(try server.url())
        for _ in 1...2 { _ = try await chain.process() }
        #expect(server.requests.map { $0["Cookie"] } == [nil, nil, "ours=1", "theirs=1"])
    }

    /// Cookies that the request already has come first.
    @Test func ownCookies() async throws {
        let jar = CookieJar()
        let stub = Stub(.of(200))
        jar.set("a=1", from: try .of("https://example.com/"))
        _ = try await CookieFilter(jar).andThen(stub.node).process(.get("https://example.com/", [.cookie: "b=2"]))
        #expect(stub.requests.map { $0.headers[.cookie] } == ["b=2; a=1"])
    }

    @Test func obeysTheLaws() async throws {
        try await checkLaws { CookieFilter(CookieJar()) }
        try await checkLaws { SignatureFilter { _ in [.authorization: "a"] } }
        try await checkLaws { IdentityFilter { _ in "a" } }
        try await checkLaws { BasicAuthFilter(user: "a", password: "b") }
        try await checkLaws { BearerFilter(token: { "a" }, refresh: {}) }
        try await checkLaws { CacheFilter(HTTPCache(), partition: { _ in "a" }, sharesPublic: true) }
        try await checkLaws { HTTPMetricsFilter(.calls) }
    }
}
#endif
