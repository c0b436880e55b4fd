#if Hub
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceConnect

/// The source `request`, and what `poll` has of it, against a server.
@Suite struct RequestSourceTests {
    private struct Seen: Sendable {
        let method: String
        let path: String
        let type: String?
        let body: String
    }

    private final class Requests: Sendable {
        let list = Locked<[Seen]>([])
    }

    /// A server that answers with what it was asked, and fails as often as a path says.
    private func withServer(_ test: @Sendable (Int, Requests) async throws -> Void) async throws {
        let seen = Requests()
        let router = Router()
        @Sendable func answer(_ request: Request) async throws -> Response {
            let body = String(buffer: try await request.body.collect(upTo: 1 << 20))
            let count = seen.list.withLock { seen in
                seen.append(
                    Seen(
                        method: request.method.rawValue,
                        path: request.uri.string,
                        type: request.headers[.contentType],
                        body: body
                    )
                )
                return seen.count { $0.path == request.uri.string }
            }
            let path = request.uri.path
            if path.hasPrefix("/busy"), count < 3 { return Response(status: .serviceUnavailable) }
            if path.hasPrefix("/away") {
                return Response(status: .found, headers: [.location: "http://10.0.0.1/secret"])
            }
            let json: JSON = ["path": .string(path)]
            let status: HTTPResponse.Status = path.hasPrefix("/missing") ? .notFound : .ok
            return Response(
                status: status,
                headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: json.text()))
            )
        }
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            router.on("**", method: method) { request, _ in try await answer(request) }
        }
        try await Application(router: router).test(.live) { client in try await test(client.port ?? 0, seen) }
    }

    private func values(_ text: String, clock: TestClock? = nil) async throws -> (values: [JSON], error: String?) {
        var settings = ConnectSettings()
        settings.allowedHosts = [try AllowedHost("127.0.0.1")]
        let host = clock.map { settings.host(clock: $0) } ?? settings.host()
        var values: [JSON] = []
        do {
            for try await value in try StreamDocument(parsing: text).values(host: host) { values.append(value) }
            return (values, nil)
        } catch { return (values, "\(error)") }
    }

    private func request(_ items: String, _ arguments: String) -> String {
        #"{"source": {"values": \#(items)}, "operators": [{"concatMap": {"to": {"request": \#(arguments)}}}]}"#
    }

    @Test func itEnrichesEachItem() async throws {
        try await withServer { port, seen in
            let url = #""http://127.0.0.1:\#(port)/users/${a}""#
            let result = try await values(request(#"[1, "a b"]"#, url))
            #expect(result.values == [["path": "/users/1"], ["path": "/users/a%20b"]])
            #expect(result.error == nil)
            #expect(seen.list.withLock { $0.map(\.path) } == ["/users/1", "/users/a%20b"])
        }
    }

    @Test func itSendsABody() async throws {
        try await withServer { port, seen in
            let url = #""url": "http://127.0.0.1:\#(port)/x""#
            _ = try await values(request(#"[{"n": 1}]"#, #"{\#(url), "body": {"twice": "${a.n * 2}"}}"#))
            _ = try await values(request("[1]", #"{\#(url), "body": "n=${a}", "method": "put"}"#))
            _ = try await values(
                request("[1]", #"{\#(url), "body": "n=${a}", "headers": {"Content-Type": "text/x"}}"#)
            )
            let requests = seen.list.withLock { $0 }
            #expect(requests.map(\.method) == ["POST", "PUT", "POST"])
            #expect(requests.map(\.body) == [#"{"twice":2}"#, "n=1", "n=1"])
            #expect(requests.map(\.type) == ["application/json", "text/plain; charset=utf-8", "text/x"])
        }
    }

    @Test func theResponseMayBeTheItem() async throws {
        try await withServer { port, _ in
            let url = #""url": "http://127.0.0.1:\#(port)/missing/${a}""#
            let whole = try await values(request("[1]", #"{\#(url), "as": "response"}"#))
            #expect(whole.error == nil)
            #expect(whole.values.first?["status"] == 404)
            #expect(whole.values.first?["headers"]?["content-type"] == "application/json")
            #expect(whole.values.first?["body"] == ["path": "/missing/1"])
            let failed = try await values(request("[1]", "{\(url)}"))
            #expect(failed.error?.contains("404 Not Found") == true)
        }
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["body", "response"])
    func aServerThatIsBusyIsAskedAgain(_ form: String) async throws {
        try await withServer { port, seen in
            let clock = TestClock()
            let done = Locked(false)
            let pace = Task {
                while !done.withLock({ $0 }) {
                    if let next = clock.untilNext, next < .seconds(25) { clock.advance(by: next) }
                    await Task.yield()
                }
            }
            let arguments = #"{"url": "http://127.0.0.1:\#(port)/busy/${a}", "as": "\#(form)"}"#
            let result = try await values(request("[1, 2]", arguments), clock: clock)
            done.withLock { $0 = true }
            await pace.value
            #expect(result.values.count == 2 && result.error == nil, "\(result)")
            #expect(seen.list.withLock { $0.count } == 6)
        }
    }

    private static let busy = #"{"retry": {"maxAttempts": 2, "backoff": {"constant": {"seconds": 0.1}}}}"#

    /// With a `retry` in its stack, a request fails after its attempts, and operators take up the failure.
    @Test func aStackEndsTheAttempts() async throws {
        try await withServer { port, seen in
            let url = #""url": "http://127.0.0.1:\#(port)/busy/${a}""#
            let stack = #""stack": {"filters": [\#(Self.busy)]}"#
            let failed = try await values(request("[1]", "{\(url), \(stack)}"))
            #expect(failed.error?.contains("503") == true && seen.list.withLock { $0.count } == 2)
            let third = try await values(request("[2]", "{\(url), \(stack.replacing("2,", with: "3,"))}"))
            #expect(third.values == [["path": "/busy/2"]] && third.error == nil)
        }
    }

    /// The requests of one stream to one origin share the state of their filters.
    @Test func theItemsOfAStreamShareABreaker() async throws {
        try await withServer { port, seen in
            let breaker = #"{"breaker": {"opensOn": [{"consecutiveFailures": {"count": 2}}]}}"#
            let stack = #""stack": {"filters": [{"retry": {"maxAttempts": 1}}, \#(breaker)]}"#
            let arguments = #"{"url": "http://127.0.0.1:\#(port)/busy/${a}", \#(stack)}"#
            let text = #"""
                {"source": {"values": [1, 2, 3, 4]}, "operators": [{"concatMap": {"to": {
                    "source": {"request": \#(arguments)}, "operators": [{"replaceError": {"value": "failed"}}]
                }}}]}
                """#
            let result = try await values(text)
            #expect(result.values == ["failed", "failed", "failed", "failed"] && result.error == nil, "\(result)")
            #expect(seen.list.withLock { $0.count } == 2)
        }
    }

    /// A poll never gives up, whatever keeps its requests back.
    @Test(.timeLimit(.minutes(20))) func aPollOutlastsItsStack() async throws {
        try await withServer { port, seen in
            let clock = TestClock()
            let done = Locked(false)
            let pace = Task {
                while !done.withLock({ $0 }) {
                    if let next = clock.untilNext, next < .seconds(25) { clock.advance(by: next) }
                    await Task.yield()
                }
            }
            let breaker =
                #"{"breaker": {"opensOn": [{"consecutiveFailures": {"count": 1}}], "backoff": {"constant": {"seconds": 2}}}}"#
            let poll =
                #"{"url": "http://127.0.0.1:\#(port)/busy", "seconds": 1, "stack": {"filters": [\#(Self.busy), \#(breaker)]}}"#
            let text = #"{"source": {"poll": \#(poll)}, "operators": [{"prefix": {"count": 2}}]}"#
            let result = try await values(text, clock: clock)
            done.withLock { $0 = true }
            await pace.value
            #expect(result.values == [["path": "/busy"], ["path": "/busy"]] && result.error == nil, "\(result)")
            #expect(seen.list.withLock { $0.count } == 4)
        }
    }

    /// The address that an item leads to is checked after substitution, and again at a redirect.
    @Test func itReachesOnlyWhatIsAllowed() async throws {
        let text = request(#"["10.0.0.1", "evil.example"]"#, #""http://${a}/""#)
        let refused = try await values(text).error
        #expect(refused?.contains("not on the list of what streams may reach: --allow 10.0.0.1:80") == true)
        try await withServer { port, _ in
            let away = try await values(request("[1]", #""http://127.0.0.1:\#(port)/away""#)).error
            #expect(away?.contains("not on the list of what streams may reach") == true)
        }
    }

    @Test(arguments: ["CONNECT", "TRACE", "a b", ""])
    func methodsOfOthersAreRefused(_ method: String) async throws {
        let error = try await values(request("[1]", #"{"url": "http://127.0.0.1/", "method": "\#(method)"}"#)).error
        #expect(error?.contains("is not a method that a stream may use") == true)
    }

    @Test func pollSendsAMethodAndABody() async throws {
        try await withServer { port, seen in
            let text = #"""
                {"source": {"poll": {"url": "http://127.0.0.1:\#(port)/search", "seconds": 0.1, "method": "POST",
                                     "body": {"q": "x"}, "as": "response"}},
                 "operators": [{"prefix": {"count": 2}}]}
                """#
            let result = try await values(text)
            #expect(result.values.map { $0["status"] } == [200, 200])
            #expect(seen.list.withLock { $0.prefix(2).map(\.body) } == [#"{"q":"x"}"#, #"{"q":"x"}"#])
        }
    }
}
#endif
