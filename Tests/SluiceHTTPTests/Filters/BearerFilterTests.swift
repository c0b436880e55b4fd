#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing

/// A server that accepts one of the tokens that it has issued, and the client's store of it.
final class TokenServer: Sendable {
    private struct State {
        var valid = 0
        var held = 0
        var refreshes = 0
        var refused = 0
    }
    private let state = Locked(State())

    var refreshes: Int { state.withLock { $0.refreshes } }
    var refused: Int { state.withLock { $0.refused } }
    var token: String { state.withLock { "t\($0.held)" } }

    /// Makes the issued token invalid.
    func expire() { state.withLock { $0.valid = $0.held + 1 } }

    func refresh() {
        state.withLock { $0 = State(valid: $0.valid, held: $0.valid, refreshes: $0.refreshes + 1, refused: $0.refused) }
    }

    func answer(_ request: TransportRequest, refusal: Int = 401) -> TransportResponse {
        state.withLock { state in
            if request.headers[.authorization] == "Bearer t\(state.valid)" {
                return .of(200, [:], request.url.lastPathComponent)
            }
            state.refused += 1
            return .of(refusal)
        }
    }
}

@Suite struct BearerFilterTests {
    let server = TokenServer()

    func bearer(refusals: Set<Int> = [401]) throws -> BearerFilter {
        BearerFilter(
            for: try .of("https://example.com/api"),
            refusals: refusals,
            token: { [server] in server.token },
            refresh: { [server] in server.refresh() }
        )
    }

    @Test func refreshesAndSendsAgain() async throws {
        server.expire()
        let stub = Stub { [server] request, _ in server.answer(request) }
        let response = try await bearer().andThen(stub.node).process(.get("https://example.com/x"))
        #expect(try await response.text() == "x")
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t0", "Bearer t1"])
        #expect(server.refreshes == 1)
    }

    @Test func whereErrorsAreMadeInside() async throws {
        server.expire()
        let node = try bearer().andThen(StatusFilter()).andThen(
            Stub { [server] request, _ in server.answer(request) }.node
        )
        #expect(try await node.process(.get()).status == .ok)
        #expect(server.refreshes == 1)
    }

    @Test func aSecondRefusalIsTheAnswer() async throws {
        let stub = Stub(.of(401, [:], "no"))
        let response = try await bearer().andThen(stub.node).process(.get())
        #expect(response.status.code == 401)
        #expect(try await response.text() == "no")
        #expect(stub.requests.count == 2)
        let error = await #expect(throws: HTTPError.self) {
            try await bearer().andThen(StatusFilter()).andThen(stub.node).process(.get())
        }
        #expect(error?.response?.status.code == 401)
    }

    @Test func forbiddenIfSaidSo() async throws {
        server.expire()
        let stub = Stub { [server] request, _ in server.answer(request, refusal: 403) }
        #expect(try await bearer().andThen(stub.node).process(.get()).status == .forbidden)
        #expect(server.refreshes == 0)
        #expect(try await bearer(refusals: [401, 403]).andThen(stub.node).process(.get()).status == .ok)
        #expect(server.refreshes == 1)
    }

    @Test(arguments: [
        "http://example.com/", "https://example.com:444/", "https://a.example.com/", "https://example.org/",
    ])
    func noOtherOrigin(_ url: String) async throws {
        let stub = Stub(.of(401))
        _ = try await bearer().andThen(stub.node).process(.get(url))
        #expect(stub.requests.map { $0.headers[.authorization] } == [nil])
        #expect(server.refreshes == 0)
    }

    /// The token is not sent to another origin, even if a redirect inside leads there.
    @Test func noOtherOriginBehindARedirect() async throws {
        let stub = Stub(.of(302, [.location: "https://other.example/"]), .of(200))
        let inside = RedirectFilter().andThen(try bearer()).andThen(stub.node)
        _ = try await inside.process(.get())
        let outside = try bearer().andThen(RedirectFilter()).andThen(
            Stub(.of(302, [.location: "https://other.example/"]), .of(200)).node
        )
        _ = try await outside.process(.get())
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t0", nil])
    }

    @Test func ownCredentialsPass() async throws {
        let stub = Stub(.of(401))
        _ = try await bearer().andThen(stub.node).process(.get("https://example.com/", [.authorization: "own"]))
        #expect(stub.requests.map { $0.headers[.authorization] } == ["own"])
    }

    @Test func bodiesThatCanBeSentOnce() async throws {
        server.expire()
        let once = RequestBody.stream(RequestStream(count: 1, isReplayable: false) { "a" })
        let stub = Stub { [server] request, _ in server.answer(request) }
        let request = TransportRequest(.post, try .of("https://example.com/"), body: once)
        #expect(try await bearer().andThen(stub.node).process(request).status.code == 401)
        #expect(stub.requests.count == 1)
    }

    @Test func errorOfTheRefreshIsTheError() async throws {
        struct LoggedOut: Error, Equatable {}
        let filter = BearerFilter(for: try .of("https://example.com"), token: { nil }, refresh: { throw LoggedOut() })
        let stub = Stub(.of(401))
        await #expect(throws: LoggedOut()) { try await filter.andThen(stub.node).process(.get()) }
        #expect(stub.requests.map { $0.headers[.authorization] } == [nil])
    }

    /// A thousand calls, and a token that expires in the middle: one refresh, and no call is lost.
    @Test func aThousandCallsAndOneRefresh() async throws {
        let arrived = Counter()
        let node = try bearer().andThen(StatusFilter()).andThen(
            Stub { [server] request, _ in
                if arrived.next() == 500 { server.expire() }
                await Task.yield()
                return server.answer(request)
            }.node
        )
        let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for call in 0..<1000 {
                group.addTask { (call, try await node.process(.get("https://example.com/\(call)")).text()) }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, "\($0)") }))
        #expect(server.refreshes == 1)
        #expect(server.refused > 0)
        #expect(arrived.value == 1000 + server.refused)
    }

    @Test func obeysTheLaws() async throws {
        try await checkLaws {
            BearerFilter(for: URL(string: "https://example.com") ?? URL(filePath: "/"), token: { "t" }, refresh: {})
        }
    }
}

@Suite struct BasicAuthFilterTests {
    @Test func sendsCredentials() async throws {
        let stub = Stub(.of(200))
        // The examples of RFC 7617, 2, and of 2.1 in UTF-8.
        for (user, password) in [("Aladdin", "open sesame"), ("test", "123£")] {
            let filter = BasicAuthFilter(for: try .of("https://example.com"), user: user, password: password)
            _ = try await filter.andThen(stub.node).process(.get())
        }
        #expect(
            stub.requests.map { $0.headers[.authorization] } == [
                "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", "Basic dGVzdDoxMjPCow==",
            ]
        )
    }

    @Test func noOtherOriginAndNoColon() async throws {
        let stub = Stub(.of(200))
        let filter = BasicAuthFilter(for: try .of("https://example.com"), user: "a", password: "b")
        _ = try await filter.andThen(stub.node).process(.get("https://other.example/"))
        _ = try await filter.andThen(stub.node).process(.get("https://example.com/", [.authorization: "own"]))
        #expect(stub.requests.map { $0.headers[.authorization] } == [nil, "own"])
        let colon = BasicAuthFilter(for: try .of("https://example.com"), user: "a:b", password: "c")
        let error = await #expect(throws: HTTPError.self) { try await colon.andThen(stub.node).process(.get()) }
        #expect(error?.message == "a user name with a colon cannot be sent")
    }

    @Test func obeysTheLaws() async throws {
        let url = try URL.of("https://example.com")
        try await checkLaws { BasicAuthFilter(for: url, user: "a", password: "b") }
    }
}
#endif
