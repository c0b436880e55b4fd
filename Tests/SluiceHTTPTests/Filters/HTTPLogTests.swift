#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceTesting
import Testing

@Suite struct HTTPLogTests {
    let clock = TestClock()
    let key: HTTPField.Name

    init() throws { key = try #require(HTTPField.Name("X-API-Key")) }

    final class Log: Sendable {
        let records = Locked<[LogHook.Record]>([])
        var messages: [String] { records.withLock { $0.map(\.message) } }
        func context(from level: LogHook.Level = .debug) -> CallContext {
            var context = CallContext()
            context.log = LogHook(from: level) { record in self.records.withLock { $0.append(record) } }
            return context
        }
    }

    /// Returns the log messages of a call.
    func messages(
        _ filter: HTTPLogFilter,
        _ request: TransportRequest,
        from level: LogHook.Level = .debug,
        _ answer: @escaping Stub.Answer
    ) async -> [String] {
        let log = Log()
        await withCallContext(log.context(from: level)) {
            _ = try? await filter.andThen(Stub(answer).node).process(request)
        }
        return log.messages
    }

    @Test func tellsWhatWentAndCame() async throws {
        let request = try TransportRequest.get("https://example.com/a", [.accept: "a/b"])
        let messages = await messages(HTTPLogFilter(clock: clock), request) { [clock] _, _ in
            clock.advance(by: .milliseconds(12))
            return TransportResponse(status: .ok, headers: [.contentType: "a/b"], body: "secret")
        }
        #expect(messages == ["GET https://example.com/a [accept: a/b]", "200 OK after 12 ms [content-type: a/b]"])
    }

    @Test func tellsNoSecrets() async throws {
        let headers: HTTPFields = [
            .authorization: "SECRET", .cookie: "SECRET", .proxyAuthorization: "SECRET", key: "SECRET",
            .referer: "https://u:SECRET@example.com/?x=SECRET#SECRET",
        ]
        let url = "https://ada:SECRET@example.com/a?token=SECRET&page=2&SECRET&b=#SECRET"
        let filter = HTTPLogFilter(redaction: LogRedaction(fields: [key], visibleQueries: ["page"]), clock: clock)
        let messages = await messages(filter, try .get(url, headers)) { _, _ in
            .of(302, [.setCookie: "a=SECRET", .location: "/b?code=SECRET"])
        }
        #expect(
            messages == [
                "GET https://example.com/a?token=***&page=2&***&b=*** [authorization: ***, cookie: ***, proxy-authorization: ***, "
                    + "x-api-key: ***, referer: https://example.com/?x=***]",
                "302 after 0 ms [set-cookie: ***, location: /b?code=***]",
            ]
        )
    }

    @Test func bodiesOnlyIfAsked() async throws {
        let request = TransportRequest(.post, try .of("https://example.com/"), body: "line\nbreak and more")
        func log(_ bytes: Int, _ response: TransportResponse, _ request: TransportRequest) async -> [String] {
            await messages(HTTPLogFilter(bodyBytes: bytes, clock: clock), request) { _, _ in response }
        }
        #expect(await log(0, .of(200, [:], "x"), request) == ["POST https://example.com/ []", "200 after 0 ms []"])
        #expect(
            await log(10, .of(200, [:], "short"), request) == [
                "POST https://example.com/ [] \"line\\nbreak\" and 9 bytes more", "200 after 0 ms [] \"short\"",
            ]
        )
        var stream = request
        stream.body = .stream(RequestStream(count: nil, isReplayable: false) { "a" })
        #expect(
            await log(10, .streamed(200, [:], ["x"]), stream) == [
                "POST https://example.com/ [] (a stream)", "200 after 0 ms [] (a stream)",
            ]
        )
    }

    /// A logged body can still be read.
    @Test func streamsAreLeftAlone() async throws {
        let node = HTTPLogFilter(bodyBytes: 100).andThen(Stub(.streamed(200, [:], ["a", "b"])).node)
        let text = try await withCallContext(Log().context()) { try await node.process(.get()).text() }
        #expect(text == "ab")
    }

    @Test func failuresAreWarnings() async throws {
        let filter = HTTPLogFilter(level: .debug, clock: clock)
        let failing = await messages(filter, try .get("https://example.com/a?t=SECRET"), from: .warning) { request, _ in
            throw HTTPError(.unreachable, "no", request: request)
        }
        #expect(failing == ["failed after 0 ms: GET https://example.com/a: no"])
        let canceled = await messages(filter, try .get()) { _, _ in throw CancellationError() }
        #expect(canceled.last == "canceled after 0 ms")
        let quiet = await messages(filter, try .get(), from: .warning) { _, _ in .of(200) }
        #expect(quiet == [])
    }

    @Test func byStageAndOrder() async throws {
        let sessions = Locked<[[String]]>([])
        let outer = Log()
        let node = LogSessionFilter<TransportRequest, TransportResponse>(excluding: ["noise"]) { records in
            sessions.withLock { $0.append(records.map { "\($0.metadata["stage"] ?? "-") \($0.message.prefix(3))" }) }
        }
        .andThen(HTTPLogFilter(stage: "codec", order: 50, clock: clock))
        .andThen(HTTPLogFilter(stage: "noise", order: 1, clock: clock))
        .andThen(HTTPLogFilter(stage: "transport", order: 40, clock: clock))
        .andThen(
            Stub { _, _ in
                CallContext.log(.info, "own")
                return .of(200)
            }.node
        )
        _ = try await node.process(.get())
        _ = try await withCallContext(outer.context()) { try await node.process(.get()) }
        let expected = ["- own", "transport GET", "transport 200", "codec GET", "codec 200"]
        #expect(sessions.withLock { $0 } == [expected, expected])
        #expect(outer.messages.count == 7)
    }

    @Test func obeysTheLaws() async throws {
        try await checkLaws { HTTPLogFilter() }
        try await FilterLaws(request: 1, answer: 2) { LogSessionFilter<Int, Int> { _ in } }.check()
    }
}
#endif
