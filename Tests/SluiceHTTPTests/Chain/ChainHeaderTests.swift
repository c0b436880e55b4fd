#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing

/// Tests of the header fields that a builder sets, and of answers without a body.
@Suite struct ChainHeaderTests {
    private let stub = Stub(.of(200))

    private func builder() throws -> URLChainBuilder<URL> {
        URLChainBuilder(transport: stub.node).route(.get, try .of("http://example.com/"))
    }

    private func sent(_ change: (URLChainBuilder<URL>) -> URLChainBuilder<URL>) async throws -> HTTPFields {
        let chain: RequestChain<Void, Void> = change(try builder()).build()
        try await chain.process()
        return try #require(stub.requests.last).headers
    }

    @Test func fieldsOfOtherNamesStay() async throws {
        let fields = try await sent {
            $0.set(headers: [.authorization: "Bearer x"]).set(headers: [.userAgent: "a"])
                .set(metadata: ["Accept-Language": "en", "X-Tenant": "t"]).set(metadata: ["x-tenant": "u"])
        }
        #expect(fields[.authorization] == "Bearer x")
        #expect(fields[.userAgent] == "a")
        #expect(fields[.acceptLanguage] == "en")
        let tenant = try #require(HTTPField.Name("X-Tenant"))
        #expect(fields[values: tenant] == ["u"])
    }

    /// All lines of a name are replaced by the lines that are set later.
    @Test func fieldsOfTheSameNameGiveWay() async throws {
        var two = HTTPFields()
        two.append(HTTPField(name: .accept, value: "a/a"))
        two.append(HTTPField(name: .accept, value: "b/b"))
        #expect(
            try await sent { $0.set(headers: [.accept: "c/c"]).set(headers: two) }[values: .accept] == ["a/a", "b/b"]
        )
        #expect(try await sent { $0.set(headers: two).set(headers: [.accept: "c/c"]) }[values: .accept] == ["c/c"])
        #expect(try await sent { $0.set(headers: two).set(metadata: ["accept": "c/c"]) }[values: .accept] == ["c/c"])
    }

    @Test func addedFieldsAreFurtherLines() async throws {
        let fields = try await sent {
            $0.set(headers: [.accept: "a/a", .userAgent: "a"]).adding(headers: [.accept: "b/b", .acceptLanguage: "en"])
        }
        #expect(fields[values: .accept] == ["a/a", "b/b"])
        #expect(fields[.userAgent] == "a")
        #expect(fields[.acceptLanguage] == "en")
    }

    @Test(arguments: ["", "a b", "ä", "a:", "x\r\ny"])
    func invalidNameIsAnError(_ name: String) async throws {
        try await expectFault(try builder().set(metadata: [name: "x"]), "name")
    }

    @Test(arguments: ["a\r\nb", "\0", "a\n"])
    func invalidValueIsAnError(_ value: String) async throws {
        try await expectFault(try builder().set(metadata: ["a": value]), "value")
    }

    private func expectFault(_ builder: URLChainBuilder<URL>, _ part: String) async throws {
        let error = #expect(throws: ChainOrderError.self) { try builder.check() }
        #expect(error?.description.contains("has an invalid \(part)") == true)
        let chain: RequestChain<Void, Void> = builder.build()
        #expect(throws: ChainOrderError.self) { try chain.check() }
        let failure = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(failure?.code == .badRequest)
        #expect(stub.requests.isEmpty)
    }

    // MARK: - No body

    @Test(arguments: [204, 200])
    func emptyBodyIsAnEmptyArray(_ status: Int) async throws {
        let stub = Stub(.of(status))
        let builder = URLChainBuilder<URL>(transport: stub.node).route(.get, try .of("http://example.com/"))
        let users: RequestChain<Void, [User]> = builder.build()
        #expect(try await users.process() == [])
        let texts: RequestChain<Void, [String]> = builder.build()
        #expect(try await texts.process() == [])
        let groups: RequestChain<Void, [[User]]> = builder.build()
        #expect(try await groups.process() == [])
        let maybe: RequestChain<Void, [User]?> = builder.build()
        #expect(try await maybe.process() == nil)
        let one: RequestChain<Void, User> = builder.build()
        let error = await #expect(throws: HTTPError.self) { try await one.process() }
        #expect(error?.message == "the body is empty where User was expected")
    }

    // MARK: - Canceled tasks

    /// Every transport, and every stage that calls one, for a task that is already canceled.
    @Test func canceledTaskReachesNoTransport() async throws {
        let stubbed = StubTransport()
        stubbed.stub(.get, "/")
        let server = try HostileServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let url = try server.url()
        let stages: [@Sendable (URLChainBuilder<URL>) -> URLChainBuilder<URL>] = [
            { $0 }, { $0.retry(maxAttempts: 3) }, { $0.set(.cache, CacheFilter(HTTPCache())) },
            { $0.set(.deduplication, CoalescingFilter()) }, { $0.timeout(.seconds(9)) },
            { $0.timeout(perAttempt: .seconds(9)) },
            { $0.refresh {} }, { $0.deadline() },
            { $0.set(.hedge, HedgeFilter<TransportRequest, TransportResponse>()) },
        ]
        for stage in stages {
            for transport in [stub.node, AnyNode(stubbed), AnyNode(HTTPTransport())] {
                let builder = stage(URLChainBuilder(transport: transport).route(.get, url))
                let chain: RequestChain<Void, Void> = builder.build()
                await expectCancellation { try await chain.process() }
            }
        }
        let request = TransportRequest(.get, url)
        await expectCancellation { _ = try await stubbed.process(request) }
        await expectCancellation { _ = try await HTTPTransport().process(request) }
        #expect(stub.requests.isEmpty)
        #expect(stubbed.count == 0)
        #expect(server.requests.isEmpty)
    }

    private func expectCancellation(_ body: @escaping @Sendable () async throws -> Void) async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await body()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
#endif
