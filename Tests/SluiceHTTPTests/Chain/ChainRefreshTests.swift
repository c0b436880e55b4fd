#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import Testing

/// Tests of credentials of every scheme, refreshed once when the server refuses them.
@Suite struct ChainRefreshTests {
    /// The credentials of the client, and those that the server accepts.
    private final class Keys: Sendable {
        private let state = Locked((held: 0, valid: 1, refreshes: 0))
        var held: Int { state.withLock { $0.held } }
        var refreshes: Int { state.withLock { $0.refreshes } }
        func refresh() { state.withLock { $0 = ($0.valid, $0.valid, $0.refreshes + 1) } }
        func expire() { state.withLock { $0.valid += 1 } }
        func accepts(_ key: Int) -> Bool { state.withLock { $0.valid == key } }
    }

    private static let name = HTTPField.Name("X-Session") ?? .via

    private struct Session: HeaderProvider {
        let keys: Keys
        func headers(for request: TransportRequest) async throws -> HTTPFields {
            [ChainRefreshTests.name: "\(keys.held)"]
        }
    }

    private typealias Builder = URLChainBuilder<URL>

    /// The schemes: for each, a stage that adds the credentials, and a function with which a server reads the key from
    /// a request.
    private static let schemes:
        [(
            name: String, add: @Sendable (Builder, Keys) -> Builder,
            key: @Sendable (OriginServer.Request) -> Int?
        )] = [
            (
                "provider", { $0.add(provider: Session(keys: $1)) },
                { $0[name.rawName].flatMap { Int($0) } }
            ),
            (
                "Basic",
                { builder, keys in builder.set(.token, BasicAuthFilter { (user: "ada", password: "\(keys.held)") }) },
                { request in
                    let text = (request["Authorization"] ?? "").dropFirst("Basic ".count)
                    let pair = Data(base64Encoded: String(text)).map { String(decoding: $0, as: UTF8.self) }
                    return (pair?.split(separator: ":").last).flatMap { Int($0) }
                }
            ),
            (
                "signature",
                { builder, keys in
                    builder.set(.signature, SignatureFilter(identity: { _ in "ada" }) { _ in [name: "\(keys.held)"] })
                },
                { $0[name.rawName].flatMap { Int($0) } }
            ),
            (
                "constant fields in a closure",
                { builder, keys in builder.set("mine", HeaderFilter { _ in [.authorization: "Custom \(keys.held)"] }) },
                { ($0["Authorization"]?.split(separator: " ").last).flatMap { Int($0) } }
            ),
        ]

    private func server(_ keys: Keys, _ key: @escaping @Sendable (OriginServer.Request) -> Int?) throws -> OriginServer
    {
        try OriginServer { request, _ in
            guard let held = key(request), keys.accepts(held) else {
                return .of(401, .control("max-age=60"), "refused")
            }
            return .of(200, .control("max-age=60", [.eTag: "\"a\""]), "\(request.method) \(held) \(request.body)")
        }
    }

    @Test(arguments: schemes.indices, [HTTPRequest.Method.get, .post])
    func refusedOnceAndSentAgain(_ index: Int, _ method: HTTPRequest.Method) async throws {
        let scheme = Self.schemes[index]
        let keys = Keys()
        let server = try server(keys, scheme.key)
        let builder = scheme.add(Builder(), keys).refresh { keys.refresh() }
            // These stages see a refusal, and repeat no request because of it.
            .set(.cache, CacheFilter(HTTPCache())).set(.deduplication, CoalescingFilter()).retry(maxAttempts: 3)
        let chain = builder.plain(try server.url(), method)
        #expect(String(decoding: try await chain.process().body.bytes ?? [], as: UTF8.self) == "\(method) 1 ")
        #expect(keys.refreshes == 1)
        #expect(server.requests.compactMap(scheme.key) == [0, 1])
        keys.expire()
        // The cache holds the answer for the old credentials, unless the identity identifies the user.
        if method == .post || scheme.name != "signature" {
            let other = builder.plain(try server.url("/other"), method)
            #expect(try await other.process().status == .ok)
            #expect(keys.refreshes == 2)
        }
    }

    @Test(arguments: schemes.indices) func secondRefusalIsTheAnswer(_ index: Int) async throws {
        let scheme = Self.schemes[index]
        let keys = Keys()
        let server = try server(keys, scheme.key)
        let chain = scheme.add(Builder(), keys).refresh {
            keys.refresh()
            keys.expire()
        }
        .plain(try server.url())
        let error = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(error?.response?.status == .unauthorized)
        #expect(server.requests.count == 2)
        #expect(keys.refreshes == 1)
    }

    @Test func failedRefreshIsTheError() async throws {
        struct Lockout: Error {}
        let server = try server(Keys()) { _ in nil }
        let chain = Builder().refresh { throw Lockout() }.plain(try server.url())
        await #expect(throws: Lockout.self) { try await chain.process() }
        #expect(server.requests.count == 1)
    }

    /// A plain `AuthFilter` gets its position automatically.
    @Test func authFilterIsTheStage() async throws {
        let keys = Keys()
        let scheme = Self.schemes[0]
        let server = try server(keys, scheme.key)
        let chain = scheme.add(Builder(), keys).set("login", AuthFilter(refresh: { keys.refresh() }))
            .plain(try server.url())
        #expect(try await chain.process().status == .ok)
        #expect(chain.description == "plain → status → redirects → login → headers → body → transport")
    }

    @Test func manyCallsRefreshOnce() async throws {
        let keys = Keys()
        let scheme = Self.schemes[0]
        let stub = Stub { request, _ in
            guard let key = request.headers[Self.name].flatMap({ Int($0) }), keys.accepts(key) else { return .of(401) }
            return .of(200)
        }
        let chain = scheme.add(Builder(transport: stub.node), keys).refresh { keys.refresh() }
            .plain(try .of("http://example.com/"))
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<100 { group.addTask { try? await chain.process().status.code } }
            for await status in group { #expect(status == 200) }
        }
        #expect(keys.refreshes == 1)
    }

    /// A 403 is a refusal only if it is named; a refusal by another origin doesn't concern these credentials.
    @Test func otherRefusals() async throws {
        let keys = Keys()
        let server = try OriginServer { request, _ in
            request.path == "/away"
                ? .of(302, [.location: "http://localhost:\(request["Host"]?.split(separator: ":").last ?? "")/"])
                : .of(request.path == "/403" ? 403 : 401)
        }
        let builder = Builder().refresh { keys.refresh() }
        await #expect(throws: HTTPError.self) { try await builder.plain(try server.url("/403")).process() }
        #expect(keys.refreshes == 0)
        await #expect(throws: HTTPError.self) { try await builder.plain(try server.url("/away")).process() }
        #expect(keys.refreshes == 0)
        let named = Builder().refresh(on: [403]) { keys.refresh() }
        await #expect(throws: HTTPError.self) { try await named.plain(try server.url("/403")).process() }
        #expect(keys.refreshes == 1)
    }

    @Test func bodyThatCannotBeReplayedIsNotSentAgain() async throws {
        let keys = Keys()
        let stub = Stub(.of(401))
        let filter = AuthFilter<TransportRequest, TransportResponse>.http { keys.refresh() }
        var request = try TransportRequest.get()
        request.method = .post
        request.body = .stream(RequestStream(AsyncStream<[UInt8]> { $0.finish() }))
        #expect(try await filter.andThen(stub.node).process(request).status == .unauthorized)
        #expect(keys.refreshes == 0)
    }
}
#endif
