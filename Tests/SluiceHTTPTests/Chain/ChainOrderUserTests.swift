#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import Testing

@testable import SluiceHTTP

/// Tests of pairs of stages that could give one user's answer to another, over a real server.
@Suite(.timeLimit(.minutes(20))) struct ChainOrderUserTests {
    /// The user who makes the current call.
    @TaskLocal static var user: String?

    private static let token = BearerFilter(token: { Self.user }, refresh: {})

    /// Returns a server that answers with the user of the request.
    private func server(_ headers: HTTPFields) throws -> OriginServer {
        try OriginServer { request, _ in .of(200, headers, request["Authorization"] ?? "nobody") }
    }

    private func text(_ chain: RequestChain<Void, TransportResponse>, as user: String?) async throws -> String {
        try await Self.$user.withValue(user) { try await chain.process().text() }
    }

    private static let answers: [HTTPFields] = [
        .control("private, max-age=3600", [.vary: "Authorization"]), .control("private, max-age=3600"),
        .control("max-age=3600"), .control("public, max-age=3600"),
    ]

    /// cache × token: two users who log out and in, with `Vary` and without.
    @Test(arguments: answers) func cacheAndToken(_ headers: HTTPFields) async throws {
        let server = try server(headers)
        let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache())).set(.token, Self.token)
            .plain(try server.url())
        #expect(try await text(chain, as: "ada") == "Bearer ada")
        #expect(try await text(chain, as: nil) == "nobody")
        #expect(try await text(chain, as: "bob") == "Bearer bob")
        #expect(server.requests.count == 3)
        // Each user gets the answer of their own.
        #expect(try await text(chain, as: "ada") == "Bearer ada")
        #expect(try await text(chain, as: nil) == "nobody")
        #expect(try await text(chain, as: "bob") == "Bearer bob")
        #expect(server.requests.count == 3)
    }

    /// cache × every way to identify the user, if the answer does not declare that it depends on them.
    @Test(arguments: ["Authorization", "Cookie", "Proxy-Authorization", "X-API-Key", "X-Session"])
    func privateAnswerWithoutVary(_ name: String) async throws {
        let name = try #require(HTTPField.Name(name))
        let server = try OriginServer { request, _ in
            .of(200, .control("private, max-age=3600"), request.headers[name] ?? "nobody")
        }
        struct User: HeaderProvider {
            let name: HTTPField.Name
            func headers(for request: TransportRequest) async throws -> HTTPFields {
                ChainOrderUserTests.user.map { [name: $0] } ?? [:]
            }
        }
        let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache())).add(provider: User(name: name))
            .plain(try server.url())
        for _ in 1...2 {
            #expect(try await text(chain, as: "ada") == "ada")
            #expect(try await text(chain, as: "bob") == "bob")
            #expect(try await text(chain, as: nil) == "nobody")
        }
        #expect(server.requests.count == 3)
    }

    /// One cache under the chains of two users, whose fields are constant.
    @Test(arguments: ["Authorization", "Cookie", "Proxy-Authorization", "X-API-Key"])
    func twoChainsOverOneCache(_ name: String) async throws {
        let name = try #require(HTTPField.Name(name))
        let server = try OriginServer { request, _ in
            .of(200, .control("max-age=3600"), request.headers[name] ?? "nobody")
        }
        let cache = HTTPCache()
        for _ in 1...2 {
            for user in ["ada", "bob"] {
                let builder = URLChainBuilder<URL>().set(.cache, CacheFilter(cache))
                let own = builder.set(headers: [name: user]).plain(try server.url())
                #expect(try await own.process().text() == user)
                let filter = builder.set(.headers, HeaderFilter([name: user])).plain(try server.url())
                #expect(try await filter.process().text() == user)
            }
        }
        #expect(server.requests.count == 2)
    }

    /// deduplication × token: two concurrent users.
    @Test func deduplicationAndToken() async throws {
        let latch = Latch()
        let server = try OriginServer { request, _ in
            latch.wait()
            return .of(200, [:], request["Authorization"] ?? "nobody")
        }
        let chain = URLChainBuilder<URL>().set(.deduplication, CoalescingFilter()).set(.token, Self.token)
            .plain(try server.url())
        async let ada = text(chain, as: "ada")
        await until { server.requests.count == 1 }
        async let bob = text(chain, as: "bob")
        await untilLikely { server.requests.count == 2 }
        latch.open()
        #expect(try await ada == "Bearer ada")
        #expect(try await bob == "Bearer bob")
        #expect(server.requests.count == 2)
    }

    /// deduplication × cookies: two users without credentials, whose requests are equal, begin a session each.
    @Test(arguments: [200, 500]) func deduplicationAndNewSessions(_ status: Int) async throws {
        let latch = Latch()
        let sessions = Counter()
        let server = try OriginServer { _, _ in
            latch.wait()
            return .of(status, [.setCookie: "session=\(sessions.next())"], "")
        }
        let (filter, url) = (CoalescingFilter(), try server.url())
        let jars = [CookieJar(), CookieJar()]
        let chains = jars.map {
            URLChainBuilder<URL>().set(.deduplication, filter).set(.cookies, CookieFilter($0)).plain(url)
        }
        async let one = try? chains[0].process()
        await until { server.requests.count == 1 }
        async let other = try? chains[1].process()
        await until { filter.waitingCount == 2 }
        latch.open()
        _ = await (one, other)
        let cookies = jars.compactMap { $0.header(for: TransportRequest(.get, url)) }
        #expect(cookies.count == 2)
        #expect(Set(cookies).count == 2)
    }

    /// The answers that concurrent calls of one user share are that user's.
    @Test func deduplicationOfOneUser() async throws {
        let latch = Latch()
        let server = try OriginServer { request, _ in
            latch.wait()
            return .of(200, [:], request["Authorization"] ?? "nobody")
        }
        let filter = CoalescingFilter()
        let chain = URLChainBuilder<URL>().set(.deduplication, filter).set(.token, Self.token).plain(try server.url())
        let task = Task {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<20 { group.addTask { try await text(chain, as: "ada") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        await until { filter.waitingCount == 20 }
        latch.open()
        #expect(try await task.value == Array(repeating: "Bearer ada", count: 20))
        #expect(server.requests.count == 1)
    }

    /// A user's ID survives a new token; without an ID, a new token is a new user.
    @Test(arguments: [true, false]) func partitions(_ byID: Bool) async throws {
        let server = try server(.control("private, max-age=3600"))
        let cache = byID ? CacheFilter(HTTPCache(), partition: { _ in "id" }) : CacheFilter(HTTPCache())
        let chain = URLChainBuilder<URL>().set(.cache, cache).set(.token, Self.token).plain(try server.url())
        #expect(try await text(chain, as: "token 1") == "Bearer token 1")
        #expect(try await text(chain, as: "token 2") == (byID ? "Bearer token 1" : "Bearer token 2"))
        #expect(server.requests.count == (byID ? 1 : 2))
    }

    /// Only public answers are shared, and only if sharing is on.
    @Test(arguments: [("public, max-age=60", true), ("max-age=60", false), ("private, max-age=60", false)])
    func sharedAnswers(_ control: String, _ isShared: Bool) async throws {
        let server = try server(.control(control))
        let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache(), sharesPublic: true))
            .set(.token, Self.token).plain(try server.url())
        #expect(try await text(chain, as: "ada") == "Bearer ada")
        #expect(try await text(chain, as: "bob") == (isShared ? "Bearer ada" : "Bearer bob"))
        #expect(try await text(chain, as: nil) == (isShared ? "Bearer ada" : "nobody"))
    }

    /// A change by one user invalidates the answers of all users.
    @Test func unsafeMethodsForgetForAll() async throws {
        let server = try server(.control("max-age=3600"))
        let builder = URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache())).set(.token, Self.token)
        let get = builder.plain(try server.url())
        for user in ["ada", "bob"] { _ = try await text(get, as: user) }
        _ = try await text(builder.plain(try server.url(), .put), as: "ada")
        for user in ["ada", "bob"] { #expect(try await text(get, as: user) == "Bearer \(user)") }
        #expect(server.requests.map(\.method) == ["GET", "GET", "PUT", "GET", "GET"])
    }

    /// Users are also separated on disk, and after the next start; no file contains a token or an ID.
    @Test func usersOnDisk() async throws {
        let directory = try TemporaryDirectory()
        let server = try server(.control("max-age=3600", [.vary: "Authorization, Accept"]))
        for number in 1...3 {
            let cache = try HTTPCache(directory: directory.path)
            let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(cache)).set(.token, Self.token)
                .plain(try server.url())
            for user in ["secret-ada", "secret-bob"] {
                #expect(try await text(chain, as: user) == "Bearer \(user)")
            }
            #expect(server.paths.filter { $0 == "/" }.count == 2, "start \(number)")
            let byID = CacheFilter(cache, partition: { _ in "secret-id" })
            _ = try await text(
                URLChainBuilder<URL>().set(.cache, byID).set(.token, Self.token).plain(try server.url("/id")),
                as: "x"
            )
            #expect(server.paths.filter { $0 == "/id" }.count == 1)
        }
        let heads = try directory.files.compactMap { name -> String? in
            let bytes = FileManager.default.contents(atPath: directory.path + "/" + name) ?? Data()
            // The bodies are the server's text, and are at the end of the files.
            return String(decoding: bytes, as: UTF8.self).components(separatedBy: "Bearer ").first
        }
        #expect(heads.count == 4)
        #expect(heads.allSatisfy { !$0.contains("secret") })
    }
}
#endif
