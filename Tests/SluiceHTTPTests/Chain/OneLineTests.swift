#if HTTP
import Foundation
import HTTPTypes
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

/// The description of a request that httpbin returns.
private struct Echo: Codable, Sendable, Equatable {
    var method: String
    var url: String
    var headers: [String: String]
    var json: Ship?
}

private struct Ship: Codable, Sendable, Equatable {
    var name: String
}

/// Tests of the calls in one line against a real server.
@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct OneLineTests {
    @Test func get() async throws {
        let url = try HTTPBin.url("/anything/ships")
        let echo = try await HTTP.get(url, as: Echo.self, query: ["page": 2], headers: [.userAgent: "sluice"])
        #expect(echo.method == "GET")
        #expect(echo.url.hasSuffix("/anything/ships?page=2"))
        #expect(echo.headers["Accept"] == "application/json")
        #expect(echo.headers["User-Agent"] == "sluice")
        #expect(echo.json == nil)
        #expect(try await HTTP.get(url.absoluteString, as: Echo.self).method == "GET")
        #expect(try await HTTP.data(try HTTPBin.url("/bytes/64?seed=1")).count == 64)
    }

    @Test func methodsWithAModel() async throws {
        let (url, ship) = (try HTTPBin.url("/anything"), Ship(name: "Ada"))
        let echoes = [
            try await HTTP.post(url, ship, as: Echo.self), try await HTTP.put(url, ship, as: Echo.self),
            try await HTTP.patch(url, ship, as: Echo.self),
        ]
        #expect(echoes.map(\.method) == ["POST", "PUT", "PATCH"])
        #expect(echoes.allSatisfy { $0.json == ship && $0.headers["Content-Type"] == "application/json" })
        try await HTTP.post(url, ship)
        try await HTTP.put(url, ship)
        try await HTTP.patch(url, ship)
        // With a builder's settings.
        let form = URLChainBuilder<URL>().encode(as: .formURL)
        let sent = try await HTTP.post(url, ship, as: JSON.self, with: form)
        #expect(sent["form"] == ["name": "Ada"])
    }

    @Test func methodsWithoutAModel() async throws {
        let url = try HTTPBin.url("/anything")
        #expect(try await HTTP.delete(url, as: Echo.self).method == "DELETE")
        try await HTTP.delete(try HTTPBin.url("/status/204"))
        let head = try await HTTP.head(url)
        #expect(head.status == .ok && head.headers[.contentType] == "application/json")
    }

    /// The defaults are those of a chain: redirects are followed, and a status of failure is an error.
    @Test func defaults() async throws {
        #expect(try await HTTP.get(try HTTPBin.url("/redirect-to?url=/anything"), as: Echo.self).method == "GET")
        for status in [404, 503] {
            let url = try HTTPBin.url("/status/\(status)")
            let error = await #expect(throws: HTTPError.self) { try await HTTP.get(url, as: Echo.self) }
            #expect(error?.response?.status.code == status)
        }
        let page = try HTTPBin.url("/html")
        let error = await #expect(throws: HTTPError.self) { try await HTTP.get(page, as: Echo.self) }
        #expect(error?.code == .badBody)
    }
}

/// Tests of the calls in one line that reach no server.
@Suite struct OneLineFaultTests {
    @Test(arguments: ["", "example.com/ships", "no address"]) func noAddress(_ text: String) async throws {
        let error = await #expect(throws: HTTPError.self) { try await HTTP.get(text, as: JSON.self) }
        #expect(error?.code == .badRequest)
        #expect(error?.cause as? RouteError == .invalid(text))
        #expect(error?.message.hasSuffix("is not an address: it must begin with https:// or http://") == true)
    }

    @Test func aCanceledTaskSendsNothing() async throws {
        let server = ChainTests.Server(ChainTests.echo)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await HTTP.get(
                "http://example.com/",
                as: JSON.self,
                with: URLChainBuilder(transport: server)
            )
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.last == nil)
    }

    /// A model with a mapping of its own is asked for it, although only `Codable` is required.
    @Test func aModelWithItsOwnMapping() async throws {
        let server = ChainTests.Server(ChainTests.echo)
        let builder = URLChainBuilder<URL>(transport: server)
        let read = try await HTTP.post(
            "http://example.com/",
            OwnMappingTests.Plain(),
            as: OwnMappingTests.Plain.self,
            with: builder
        )
        #expect(server.last?.body?.bytes.map { String(decoding: $0, as: UTF8.self) } == #"{"own":"a"}"#)
        #expect(read == OwnMappingTests.Plain())
    }
}
#endif
