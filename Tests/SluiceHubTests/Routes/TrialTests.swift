#if Hub
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceConnect
import SluiceHTTP
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceHub

/// Trials of sources and sinks, before their document is stored.
@Suite struct TrialTests {
    private final class Served: Sendable {
        let requests = Locked<[(head: HTTPRequest, body: String)]>([])
    }

    private func withServer(_ test: @Sendable (Int, Served) async throws -> Void) async throws {
        let (router, served) = (Router(), Served())
        @Sendable func answer(_ request: Request) async throws -> Response {
            let body = try await request.body.collect(upTo: 1 << 20)
            served.requests.withLock { $0.append((request.head, String(buffer: body))) }
            switch request.uri.path {
            case "/no": return Response(status: .notFound, body: .init(byteBuffer: ByteBuffer(string: "no such hook")))
            case "/busy": return Response(status: .serviceUnavailable)
            default:
                return Response(
                    status: .ok,
                    headers: [.contentType: "application/json"],
                    body: .init(byteBuffer: ByteBuffer(string: #"{"price":20}"#))
                )
            }
        }
        for method in [HTTPRequest.Method.get, .post] {
            router.on("**", method: method) { request, _ in try await answer(request) }
        }
        try await Application(router: router).test(.live) { client in try await test(client.port ?? 0, served) }
    }

    private func hub(_ port: Int) async throws -> Hub {
        var settings = HubSettings()
        settings.allowedHosts = [try AllowedHost("127.0.0.1:\(port)")]
        settings.host = settings.outside()
        settings.limits.trialTime = .seconds(3600)  // of a machine that is busy with other tests
        return try await Hub(settings: settings)
    }

    private func source(_ source: String) -> String {
        #"{"document": {"id": "t", "source": \#(source), "operators": [{"map": {"expression": "nonsense +"}}]}}"#
    }

    private func sink(_ sink: String, _ value: String = "20", id: String = "hook") -> String {
        #"{"document": {"id": "t", "source": {"values": [1]}, "sinks": [\#(sink)]}, "sink": "\#(id)", "value": \#(value)}"#
    }

    @Test func anItemIsFetchedOnce() async throws {
        try await withServer { port, served in
            let hub = try await hub(port)
            let poll = #"{"poll": {"url": "http://127.0.0.1:\#(port)/price", "seconds": 3600}}"#
            let answer = try await hub.ask(.post, "/try", source(poll))
            #expect(try answer.json == ["value": ["price": 20]], "\(answer.text)")
            #expect(served.requests.withLock { $0.count } == 1)
            #expect(try await hub.ask(.get, "/streams/t").status == .notFound)
        }
    }

    @Test func aSourceThatFailsSaysWhy() async throws {
        try await withServer { port, _ in
            let hub = try await hub(port)
            let missing = #"{"request": "http://127.0.0.1:\#(port)/no"}"#
            #expect(try await hub.ask(.post, "/try", source(missing)).json["error"]?.string?.contains("404") == true)
            let away = #"{"request": "http://10.0.0.1/"}"#
            let refused = try await hub.ask(.post, "/try", source(away)).json["error"]?.string
            #expect(refused?.contains("not on the list of what streams may reach") == true)
            let stack = #""stack": {"filters": [{"retry": {"maxAttempts": 1}}]}"#
            let busy = #"{"request": {"url": "http://127.0.0.1:\#(port)/busy", \#(stack)}}"#
            #expect(try await hub.ask(.post, "/try", source(busy)).json["error"]?.string?.contains("503") == true)
        }
    }

    @Test(arguments: [
        #"{"interval": {"seconds": 1}}"#, #"{"values": [1]}"#, #"{"webhook": {"name": "in", "auth": "none"}}"#,
        #"{"source": {"values": [1]}, "operators": []}"#,
    ])
    func otherSourcesAreNotFetched(_ other: String) async throws {
        let answer = try await Hub().ask(.post, "/try", source(other))
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("this source can't be fetched once: poll, request, events, lines can"))
    }

    @Test func aSampleIsDeliveredOnce() async throws {
        try await withServer { port, served in
            let hub = try await hub(port)
            let post = #"{"id": "hook", "post": {"url": "http://127.0.0.1:\#(port)/ok", "body": "{'price': x}"}}"#
            let answer = try await hub.ask(.post, "/try", sink(post))
            #expect(
                try answer.json["request"]?["body"] == ["price": 20] && answer.json["error"] == nil,
                "\(answer.text)"
            )
            let keys = served.requests.withLock { $0.compactMap { $0.head.headerFields[.idempotencyKey] } }
            #expect(served.requests.withLock { $0.map(\.body) } == [#"{"price":20}"#])
            // No delivery of a run has the number 0.
            #expect(keys.count == 1 && keys[0].hasPrefix("\"t/") && keys[0].hasSuffix("/hook/0\""), "\(keys)")
            let no = post.replacing("/ok", with: "/no")
            let refused = try await hub.ask(.post, "/try", sink(no)).json
            #expect(refused["error"]?.string?.contains("no such hook") == true && refused["request"] != nil)
        }
    }

    @Test func aSampleThatIsNotDeliveredSaysWhy() async throws {
        let hub = try await Hub()
        let post = #"{"id": "hook", "post": {"url": "http://127.0.0.1/", "body": "x.price"}}"#
        let wrong = try await hub.ask(.post, "/try", sink(post, "[]")).json
        #expect(wrong["error"] != nil && wrong["request"] == nil, "\(wrong)")
        let when = post.replacing(#""body""#, with: #""when": "false", "body""#)
        let condition = try await hub.ask(.post, "/try", sink(when)).json["error"]
        #expect(condition == "\"when\" is false for this sample: the sink would not deliver it")
        #expect(try await hub.ask(.post, "/try", sink(post, id: "other")).status == .notFound)
        let invalid = try await hub.ask(.post, "/try", sink(#"{"id": "hook", "post": {}}"#))
        #expect(invalid.status == .unprocessableContent && invalid.text.contains("sinks[0].post"))
        for body in [
            "{}", "1", #"{"document": 1}"#, #"{"document": {}, "sink": 1}"#, #"{"document": {}, "sink": "a"}"#,
            "nonsense",
        ] {
            let status = try await hub.ask(.post, "/try", body).status
            #expect(status == .unprocessableContent || status == .badRequest, "\(body): \(status)")
        }
    }
}
#endif
