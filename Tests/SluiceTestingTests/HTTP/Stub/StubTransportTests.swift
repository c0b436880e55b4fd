#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTesting
import Testing

@Suite struct StubTransportTests {
    @Test func theFirstStubThatMatchesAnswers() async throws {
        let api = StubTransport()
        let ada = api.stub(.get, "/users/ada", .json(["name": "Ada"]))
        let others = api.stub(.get, "/users/*", .status(.notFound))
        let created = api.stub(.post, "/users", where: .json(["a": 1, "b": 2]), answers: .status(.created))
        let response = try await api.process(request(.get, "/users/ada?full=1"))
        #expect(response.headers[.contentType] == "application/json")
        #expect(try await text(response) == #"{"name":"Ada"}"#)
        #expect(try await api.process(request(.get, "/users/bob")).status == .notFound)
        #expect(api.unused.map(\.description) == [created.description])
        _ = try await api.process(request(.post, "/users", body: #"{ "b": 2, "a": 1 }"#))
        #expect((ada.count, others.count, created.count, api.count) == (1, 1, 1, 3))
        #expect(api.requests.map(\.url.path) == ["/users/ada", "/users/bob", "/users"])
        #expect(created.requests.first?.body?.bytes == Array(#"{ "b": 2, "a": 1 }"#.utf8))
        #expect(api.unused.isEmpty)
    }

    @Test func answersComeOneAfterTheOtherAndTheLastStays() async throws {
        let api = StubTransport()
        api.stub(.get, "/", .status(.serviceUnavailable), .failure(UnrelatedError()), .text("well"))
        #expect(try await api.process(request()).status == .serviceUnavailable)
        await #expect(throws: UnrelatedError.self) { try await api.process(request()) }
        for _ in 0..<2 { #expect(try await text(api.process(request())) == "well") }
    }

    @Test(arguments: [
        (RequestMatcher.method(.get), "method GET"), (.host("example.org"), "host example.org"),
        (.path("/users/*/posts"), "path /users/*/posts"), (.path("/users"), "path /users"),
        (.query("page"), "query page"), (.query("q", "ada"), "query q=ada"), (.header(.accept), "header Accept"),
        (.header(.contentType, "text/plain"), "header Content-Type: text/plain"), (.body("hello"), "body hello"),
        (.body([1, 2]), "a body of 2 bytes"), (.json([1]), "body [1]"),
        (RequestMatcher("luck") { _ in false }, "luck"),
    ])
    func everyMatcherCanSayNo(_ matcher: RequestMatcher, _ name: String) async throws {
        let api = StubTransport()
        api.stub(matcher, answers: .status(.ok))
        let asked = try request(.put, "/users/ada?q=bob", [.contentType: "text/html"], body: "[2]")
        let error = await #expect(throws: UnstubbedRequestError.self) { try await api.process(asked) }
        #expect(error?.description.hasSuffix("1. \(name): not so: \(name)") == true)
    }

    @Test(arguments: [
        RequestMatcher.method(.put), .host("example.com"), .path("/users/*/a%20b"), .query("page"), .query("q", "a b"),
        .header(.accept), .header(.accept, "text/plain"), .body(" [1]"), .body(Array(" [1]".utf8)), .json([1]),
        RequestMatcher("a body in memory") { $0.body?.bytes?.count == 4 },
    ])
    func everyMatcherCanSayYes(_ matcher: RequestMatcher) async throws {
        let api = StubTransport()
        let stub = api.stub(matcher, answers: .status(.accepted))
        let stream = RequestStream(
            AsyncStream<[UInt8]> {
                $0.yield(Array(" [1]".utf8)); $0.finish()
            }
        )
        let asked = try request(
            .put,
            "/users/ada/a%20b?page=&q=a%20b",
            [.accept: "text/plain"],
            body: .stream(stream)
        )
        #expect(try await api.process(asked).status == .accepted)
        #expect(stub.count == 1)
    }

    @Test func hostWithPort() async throws {
        let api = StubTransport()
        api.stub(.host("localhost:8080"), answers: .status(.ok))
        let asked = TransportRequest(.get, try #require(URL(string: "http://localhost:8080/")))
        #expect(try await api.process(asked).status == .ok)
    }

    @Test func anUnstubbedRequestSaysWhatWasAskedAndWhatIsStubbed() async throws {
        let api = StubTransport()
        let asked = try request(
            .post,
            "/users?page=2&token=abc",
            [.contentType: "application/json", .authorization: "Bearer abc"],
            body: #"{"name":"Ada"}"#
        )
        let none = await #expect(throws: UnstubbedRequestError.self) { try await api.process(asked) }
        #expect(none?.description.hasSuffix("there are no stubs") == true)
        api.stub(.get, "/users")
        api.stub(.post, "/users", where: .header(.accept), .query("page", "1"), answers: .status(.ok))
        let error = await #expect(throws: UnstubbedRequestError.self) { try await api.process(asked) }
        #expect(
            error?.description == """
                no stub for POST http://example.com/users?page=2&token=REDACTED
                  Content-Type: application/json
                  Authorization: Bearer REDACTED
                  {"name":"Ada"}
                1. method GET, path /users: not so: method GET
                2. method POST, path /users, header Accept, query page=1: not so: header Accept, query page=1
                """
        )
        #expect(error?.request.headers[.authorization] == "Bearer abc")
        #expect(error?.responseClass == .failure)
        #expect(api.count == 2)
    }

    @Test func delaysAreTimesOfTheClock() async throws {
        let clock = TestClock()
        let api = StubTransport(clock: clock)
        api.stub(.get, "/", .text("late").delayed(by: .seconds(2)).delayed(by: .seconds(1)))
        let asked = try request()
        async let response = api.process(asked)
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(3))
        clock.advance(by: .seconds(3))
        #expect(try await text(response) == "late")
        let call = Task { try await api.process(asked) }
        await clock.sleepers(1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func chunksComeAtTheirTimesAndMayBreakOff() async throws {
        let clock = TestClock()
        let api = StubTransport(clock: clock)
        api.stub(.get, "/", .chunks(["1", "23"], each: .seconds(1), failingWith: UnrelatedError()))
        let response = try await api.process(request())
        #expect(response.body.bytes == nil)
        let reader = Task {
            var chunks: [[UInt8]] = []
            do { for try await chunk in response.body { chunks.append(chunk) } } catch is UnrelatedError {
                return chunks
            }
            return []
        }
        for _ in 0..<2 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        #expect(try await reader.value == [Array("1".utf8), Array("23".utf8)])
        api.stub(.post, "/", .chunks(["a", "b"]))
        for _ in 0..<2 { #expect(try await text(api.process(request(.post))) == "ab") }
    }

    @Test func closuresAnswer() async throws {
        let api = StubTransport()
        api.stub(answers: .answer { TransportResponse(body: $0.body?.bytes ?? []) })
        #expect(try await text(api.process(request(.post, body: "echo"))) == "echo")
    }

    @Test func withARetryAndARecordingNode() async throws {
        let api = StubTransport()
        api.stub(.get, "/", .failure(CancellationError()), .status(.ok))
        let transport: RecordingNode = RecordingNode(api)
        let asTransport: any Transport = transport
        await #expect(throws: CancellationError.self) { try await asTransport.process(request()) }
        #expect(try await transport.process(request()).status == .ok)
        #expect(transport.invocations.count == 2)
        #expect(transport.outputs.map(\.status) == [.ok])
    }
}
#endif
