#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOEmbedded
import Sluice
import SluiceConnect
import SluiceJSON
import SluiceRuns
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// The bodies of webhooks on their way: the room that they take, and the time that they have.
@Suite(.timeLimit(.minutes(30))) struct WebhookBodyTests {
    /// A hub whose stream reads a webhook.
    private func hub(_ change: (inout HubSettings) throws -> Void = { _ in }) async throws -> Hub {
        var settings = HubSettings()
        try change(&settings)
        let text = #"{"id": "w", "source": {"webhook": {"name": "orders", "auth": "none"}}}"#
        let hub = try await Hub([text], settings: settings)
        try await hub.hub.run("w").start()
        try await hub.until("the webhook is read") { hub.hub.around.webhooks.entry("w", "orders") != nil }
        return hub
    }

    private func outputs(_ hub: Hub) async throws -> [String] {
        try await hub.store.outputs(of: "w", run: nil, after: 0, limit: 1000).map(\.text)
    }

    /// The head of a request, with the field that says how long its body is.
    private static func head(_ fields: String...) -> String {
        let lines = ["POST /streams/w/webhook/orders HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
        return (lines + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Serves a hub on a port of loopback while `test` runs.
    private func serve(_ hub: Hub, _ test: @escaping @Sendable (Int) async throws -> Void) async throws {
        try await Application(router: hub.routes.router()).test(.live) { client in try await test(client.port ?? 0) }
    }

    /// A request whose body comes piece by piece.
    private struct SlowBody {
        private let pieces: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
        /// The status of the answer.
        let answer: Task<HTTPResponse.Status, any Error>

        /// - Parameter length: The announced length; `nil` for a body in chunks.
        init(_ hub: Hub, length: Int?) {
            let (body, pieces) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
            self.pieces = pieces
            var fields: HTTPFields = [.contentType: "application/json"]
            if let length { fields[.contentLength] = "\(length)" }
            let request = Request(
                head: HTTPRequest(
                    method: .post,
                    scheme: "http",
                    authority: "localhost",
                    path: "/streams/w/webhook/orders",
                    headerFields: fields
                ),
                body: RequestBody(asyncSequence: body)
            )
            let responder = hub.routes.router().buildResponder()
            let context = HubRequestContext(
                source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: hub.settings.logger)
            )
            answer = Task { try await responder.respond(to: request, context: context).status }
        }

        func send(_ text: String) { pieces.yield(ByteBuffer(string: text)) }
        func finish(throwing error: (any Error)? = nil) { pieces.finish(throwing: error) }
    }

    private struct Broken: Error {}

    // MARK: Room

    /// Many connections announce the longest body, or send one in chunks, and send a byte of it: others are served. A
    /// connection that breaks gives back what it has, and its part of a body is no item.
    @Test(arguments: [("Content-Length: 1048576", "1"), ("Transfer-Encoding: chunked", "1\r\n1\r\n")])
    func slowBodiesStopNobody(_ field: String, _ piece: String) async throws {
        let hub = try await hub()
        let bodies = hub.routes.webhookBodies
        try await serve(hub) { port in
            var slow: [SlowWriter] = []
            for number in 0..<80 {
                let source = "127.0.0.\(2 + number % 4)"
                slow.append(try await SlowWriter(port: port, Self.head(field) + piece, from: source))
            }
            try await hub.until("all have begun") { bodies.byteCount == 80 }
            for source in ["127.0.0.1", "127.0.0.2"] {
                let answer = try await Exchange.answer(port, Self.head("Content-Length: 1") + "7", from: source)
                #expect(answer.status == 204, "\(source)")
            }
            #expect(bodies.byteCount == 80)
            for one in slow { await one.close() }
            try await hub.until("all have ended") { bodies.byteCount == 0 }
        }
        #expect(bodies.clientCount == 0)
        #expect(try await outputs(hub) == ["7", "7"])
    }

    /// One client fills its share with bytes that have arrived: it gets no more, and others are served.
    @Test func oneClientHasAShare() async throws {
        let hub = try await hub()
        let bodies = hub.routes.webhookBodies
        #expect(bodies.limit == 64 << 20 && bodies.share == 8 << 20)
        try await serve(hub) { port in
            let length = 1 << 20
            let text = Self.head("Content-Length: \(length)") + String(repeating: "1", count: length - 1)
            var slow: [SlowWriter] = []
            for _ in 0..<8 { slow.append(try await SlowWriter(port: port, text, from: "127.0.0.2")) }
            try await hub.until("the share is taken") { bodies.byteCount == 8 * (length - 1) }
            let item = Self.head("Content-Length: 9") + "123456789"
            let refused = try await Exchange.answer(port, item, from: "127.0.0.2")
            #expect(refused.status == 429 && refused.field("Retry-After") == "5")
            #expect(try await Exchange.answer(port, item, from: "127.0.0.3").status == 204)
            await slow[0].close()
            try await hub.until("a body has ended") { bodies.byteCount == 7 * (length - 1) }
            #expect(try await Exchange.answer(port, item, from: "127.0.0.2").status == 204)
            for one in slow { await one.close() }
            try await hub.until("all have ended") { bodies.byteCount == 0 }
        }
    }

    /// The clients of a proxy are counted one by one.
    @Test func clientsOfAProxyAreNotOne() async throws {
        let hub = try await hub { $0.proxies = [try ProxyAddress("127.0.0.1")] }
        let bodies = hub.routes.webhookBodies
        try await serve(hub) { port in
            var slow: [SlowWriter] = []
            for (address, text) in [("203.0.113.1", "1"), ("203.0.113.2", "22"), ("203.0.113.1", "4444")] {
                let head = Self.head("Content-Length: 100", "X-Forwarded-For: \(address)")
                slow.append(try await SlowWriter(port: port, head + text))
            }
            try await hub.until("all have begun") { bodies.byteCount == 7 }
            #expect(bodies.byteCount(of: "203.0.113.1") == 5 && bodies.byteCount(of: "203.0.113.2") == 2)
            for one in slow { await one.close() }
            try await hub.until("all have ended") { bodies.byteCount == 0 }
        }
    }

    /// Many reserve at the same time, and get no more than there is, nor less; what is released twice counts once.
    @Test func roomIsReservedInOneStep() async throws {
        let bodies = WebhookBodies(limit: 800)
        let rooms = (0..<200).map { WebhookRoom(in: bodies, for: "\($0 % 20)") }
        let count = await withTaskGroup(of: Bool.self) { group in
            for room in rooms { group.addTask { (try? room.reserve(10)) != nil } }
            var reserved = 0
            for await isReserved in group where isReserved { reserved += 1 }
            return reserved
        }
        #expect(count == 80 && bodies.byteCount == 800)
        let late = WebhookRoom(in: bodies, for: "late")
        #expect(throws: Problem.notReceiving) { try late.reserve(1) }
        for room in rooms {
            room.release()
            room.release()
        }
        #expect(bodies.byteCount == 0 && bodies.clientCount == 0)
        try late.reserve(99)
        try late.reserve(1)
        #expect(throws: Problem.tooManyBytes) { try late.reserve(1) }
        #expect(bodies.byteCount(of: "late") == 100)
        // A body of the allowed length has room in any case.
        #expect(WebhookBodies(limit: 800, longest: 1000).limit == 1000)
        #expect(WebhookBodies(limit: 800, longest: 1000).share == 1000)
    }

    // MARK: Time

    /// A body that comes byte by byte has 30 seconds altogether, and not after each byte.
    @Test func aBodyHasATime() async throws {
        let hub = try await hub()
        let bodies = hub.routes.webhookBodies
        let (slow, quick) = (SlowBody(hub, length: 100), SlowBody(hub, length: 2))
        for one in [slow, quick] { one.send("1") }
        try await hub.until("both have begun") { bodies.byteCount == 2 }
        hub.clock.advance(by: .seconds(29))
        slow.send("1")
        try await hub.until("it still comes") { bodies.byteCount == 3 }
        quick.send("2")
        quick.finish()
        #expect(try await quick.answer.value == .noContent)
        #expect(bodies.byteCount == 2)
        hub.clock.advance(by: .seconds(1))
        #expect(try await slow.answer.value == .requestTimeout)
        #expect(bodies.byteCount == 0)
        #expect(try await outputs(hub) == ["12"])
    }

    /// The connection of a body that comes too slowly ends after the answer.
    @Test func aSlowConnectionEnds() async throws {
        let hub = try await hub()
        try await serve(hub) { port in
            async let exchange = Exchange.answer(port, Self.head("Content-Length: 100") + "1", toEnd: true)
            try await hub.until("it has begun") { hub.routes.webhookBodies.byteCount == 1 }
            hub.clock.advance(by: .seconds(30))
            #expect(try await exchange.status == 408)
        }
        #expect(hub.routes.webhookBodies.byteCount == 0)
    }

    // MARK: Ends

    /// A body in chunks has no announced length, and is bounded all the same.
    @Test func chunksAreCounted() async throws {
        let hub = try await hub { $0.limits.bodySize = 10 }
        let bodies = hub.routes.webhookBodies
        let long = SlowBody(hub, length: nil)
        for piece in ["12345", "67890", "1"] { long.send(piece) }
        #expect(try await long.answer.value == .contentTooLarge)
        #expect(bodies.byteCount == 0)
        let whole = SlowBody(hub, length: nil)
        whole.send(#"{"a":"#)
        try await hub.until("a part is there") { bodies.byteCount == 5 }
        whole.send(" 1}")
        whole.finish()
        #expect(try await whole.answer.value == .noContent)
        #expect(bodies.byteCount == 0 && bodies.clientCount == 0)
        #expect(try await outputs(hub) == [#"{"a":1}"#])
    }

    /// All that a body has reserved is released when it ends early, fails, or is no item, and when its request is
    /// canceled. A part of a body is no item.
    @Test func allThatWasReservedIsReleased() async throws {
        let hub = try await hub()
        let bodies = hub.routes.webhookBodies
        func end(_ text: String, _ end: (SlowBody) -> Void) async throws -> HTTPResponse.Status {
            let slow = SlowBody(hub, length: 3)
            slow.send(text)
            try await hub.until("it has begun") { bodies.byteCount == text.utf8.count }
            end(slow)
            let status = try await slow.answer.value
            #expect(bodies.byteCount == 0 && bodies.clientCount == 0)
            return status
        }
        #expect(try await end("12") { $0.finish() } == .badRequest)
        #expect(try await end("12") { $0.finish(throwing: Broken()) } == .internalServerError)
        #expect(try await end("12") { $0.answer.cancel() } == .serviceUnavailable)
        #expect(try await end("[1,") { $0.finish() } == .badRequest)
        #expect(try await outputs(hub) == [])
        #expect(try await end("123") { $0.finish() } == .noContent)
        #expect(try await outputs(hub) == ["123"])
    }
}
#endif
