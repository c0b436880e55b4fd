#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceConnect
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// The sinks of the outside world.
@Suite struct PostSinkTests {
    private final class Served: Sendable {
        let requests = Locked<[(head: HTTPRequest, body: String)]>([])
        /// Each value lets one answer go on that waits.
        let (gate, pass) = AsyncStream.makeStream(of: Void.self)

        func wait() async { for await _ in gate { return } }

        /// Waits until requests have come.
        func requests(_ count: Int) async { while requests.withLock({ $0.count }) < count { await Task.yield() } }
    }

    /// More than is read of an answer.
    private static let large = ResponseBody(byteBuffer: ByteBuffer(repeating: UInt8(ascii: "x"), count: 2 << 20))
    private static let endless = ResponseBody { writer in
        let chunk = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 14)
        // Until the connection is closed.
        while !Task.isCancelled { try await writer.write(chunk) }
        try await writer.finish(nil)
    }

    private func withServer(_ test: @Sendable (Int, Served) async throws -> Void) async throws {
        let (router, served) = (Router(), Served())
        @Sendable func answer(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
            let body = try await request.body.collect(upTo: 1 << 20)
            served.requests.withLock { $0.append((request.head, String(buffer: body))) }
            let port = context.parameters.get("port") ?? ""
            return switch request.uri.path.split(separator: "/").first {
            case "no": Response(status: .notFound, body: .init(byteBuffer: ByteBuffer(string: "no such hook")))
            case "echo":
                Response(
                    status: .notFound,
                    body: .init(byteBuffer: ByteBuffer(string: request.headers[.authorization] ?? ""))
                )
            case "busy": Response(status: .tooManyRequests, headers: [.retryAfter: "7"])
            case "broken": Response(status: .internalServerError)
            case "moved": Response(status: .temporaryRedirect, headers: [.location: "http://127.0.0.1:\(port)/ok"])
            case "large": Response(status: .ok, body: Self.large)
            case "large-no": Response(status: .notFound, body: Self.large)
            case "endless": Response(status: .ok, body: Self.endless)
            case "silent":
                await Self.answer(after: served, Response(status: .noContent))
            case "later":
                await Self.answer(
                    after: served,
                    Response(
                        status: .temporaryRedirect,
                        headers: [.location: "http://127.0.0.1:\(port)/silent"]
                    )
                )
            case "stalled":
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        try await writer.write(ByteBuffer(string: "{"))
                        await served.wait()
                        try await writer.finish(nil)
                    }
                )
            case "away": Response(status: .temporaryRedirect, headers: [.location: "http://localhost:\(port)/ok"])
            default: Response(status: .noContent)
            }
        }
        for path in [
            "/ok", "/no", "/large", "/large-no", "/endless", "/echo", "/busy", "/broken", "/moved/:port", "/away/:port",
            "/silent", "/stalled", "/later/:port",
        ] {
            router.on(RouterPath(path), method: .post, use: answer)
            router.on(RouterPath(path), method: .put, use: answer)
        }
        try await Application(router: router).test(.live) { client in
            try await test(client.port ?? 0, served)
        }
    }

    private static func answer(after served: Served, _ response: Response) async -> Response {
        await served.wait()
        return response
    }

    /// - Parameter clock: The clock of the limits of time; by default none is reached, however slow the machine is.
    private func post(
        _ request: JSON,
        _ port: Int,
        secrets: Secrets = Secrets(),
        clock: TestClock = TestClock()
    ) async throws {
        var settings = HubSettings()
        settings.secrets = secrets
        settings.allowedHosts = [try AllowedHost("127.0.0.1:\(port)")]
        let receiver = try #require(settings.outside(clock: clock).receiver("post"))
        let (cancels, cancel) = AsyncStream.makeStream(of: Void.self)
        let attempt = Task {
            var delivery = SinkDelivery(key: "a/R/s/1", request: request, stream: "a")
            delivery.cancel = { cancel.yield() }
            defer { cancel.finish() }
            try await receiver(delivery)
        }
        for await _ in cancels { attempt.cancel() }
        try await attempt.value
    }

    @Test func sendsTheBodyWithTheKey() async throws {
        try await withServer { port, served in
            let url = JSON.string("http://127.0.0.1:\(port)/ok")
            try await post(["url": url, "method": "POST", "body": ["n": 1]], port)
            let headers: JSON = ["X-A": "b", "Content-Type": "text/csv"]
            try await post(["url": url, "method": "PUT", "headers": headers, "body": "1,2"], port)
            try await post(["url": url, "method": "POST", "body": "text"], port)
            let requests = served.requests.withLock { $0 }
            #expect(requests.map(\.body) == [#"{"n":1}"#, "1,2", "text"])
            #expect(requests.map(\.head.method) == [.post, .put, .post])
            let key = try #require(HTTPField.Name("Idempotency-Key"))
            #expect(requests.map { $0.head.headerFields[key] } == Array(repeating: #""a/R/s/1""#, count: 3))
            let types = requests.map { $0.head.headerFields[.contentType] }
            #expect(types == ["application/json", "text/csv", "text/plain; charset=utf-8"])
        }
    }

    @Test func tellsFinalAnswersFromOthers() async throws {
        try await withServer { port, _ in
            func failure(_ path: String) async -> any Error {
                do {
                    try await post(["url": .string("http://127.0.0.1:\(port)/\(path)"), "body": 1], port)
                    return CancellationError()
                } catch { return error }
            }
            let refusal = await failure("no") as? SinkRefusalError
            #expect(refusal?.description.contains("404") ?? false)
            #expect(refusal?.description.contains("no such hook") ?? false)
            #expect((await failure("busy") as? SinkRetryError)?.wait == .seconds(7))
            #expect(await failure("broken") is SinkRetryError)
        }
    }

    /// A secret goes to its origin alone, and comes back in no error.
    @Test func secretsAreSentToTheirOriginsAndNotShown() async throws {
        try await withServer { port, served in
            let secrets = try Secrets(
                parsing: #"{"key": {"value": "v4lue-of-a-secret", "origins": ["http://127.0.0.1:\#(port)"]}}"#
            )
            let headers: JSON = ["Authorization": "Bearer ${secret:key}"]
            func send(_ path: String, _ secrets: Secrets) async -> String {
                do {
                    let url = JSON.string("http://127.0.0.1:\(port)/\(path)")
                    try await post(["url": url, "headers": headers, "body": 1], port, secrets: secrets)
                    return ""
                } catch { return "\(error)" }
            }
            #expect(await send("ok", secrets) == "")
            #expect(
                served.requests.withLock { $0.last?.head.headerFields[.authorization] } == "Bearer v4lue-of-a-secret"
            )
            let echoed = await send("echo", secrets)
            #expect(echoed.contains("Bearer ${secret:key}") && !echoed.contains("v4lue"))
            // Another host, and one without the secret, get nothing.
            let count = served.requests.withLock { $0.count }
            #expect(await send("ok", Secrets()) != "")
            let other = try Secrets(
                parsing: #"{"key": {"value": "v4lue-of-a-secret", "origins": ["https://x.example"]}}"#
            )
            #expect(await send("ok", other) != "")
            #expect(served.requests.withLock { $0.count } == count)
        }
    }

    /// Redirects lead only where the hub allows it.
    @Test func egressHoldsForRedirects() async throws {
        try await withServer { port, served in
            try await post(["url": .string("http://127.0.0.1:\(port)/moved/\(port)"), "body": [7]], port)
            #expect(served.requests.withLock { $0.map(\.body) } == ["[7]", "[7]"])
            await #expect(throws: SinkRefusalError.self) {
                try await post(["url": .string("http://127.0.0.1:\(port)/away/\(port)"), "body": 1], port)
            }
            #expect(served.requests.withLock { $0.count } == 3)
            for url in ["http://localhost:\(port)/ok", "http://[::1]:\(port)/ok", "file:///etc/passwd", "nowhere"] {
                await #expect(throws: SinkRefusalError.self) { try await post(["url": .string(url), "body": 1], port) }
            }
            #expect(served.requests.withLock { $0.count } == 3)
            await #expect(throws: SinkRefusalError.self) {
                let url = JSON.string("http://127.0.0.1:\(port)/ok")
                try await post(["url": url, "headers": ["Host": "h"], "body": 1], port)
            }
        }
    }

    @Test func aServerThatIsGoneIsTriedAgain() async throws {
        await #expect(throws: SinkRetryError.self) { try await post(["url": "http://127.0.0.1:1/", "body": 1], 1) }
    }

    /// The head decides: an answer of any length acknowledges the output, or refuses it.
    @Test func aLongAnswerIsOneToo() async throws {
        try await withServer { port, served in
            for path in ["large", "endless"] {
                try await post(["url": .string("http://127.0.0.1:\(port)/\(path)"), "body": 1], port)
            }
            await #expect(throws: SinkRefusalError.self) {
                try await post(["url": .string("http://127.0.0.1:\(port)/large-no"), "body": 1], port)
            }
            #expect(served.requests.withLock { $0.count } == 3)
        }
    }

    /// An attempt has 30 seconds up to the head of the answer, with all its redirects.
    @Test(arguments: ["silent", "later"]) func anAnswerThatDoesNotComeIsTriedAgain(_ path: String) async throws {
        try await withServer { port, served in
            let clock = TestClock()
            let url = "http://127.0.0.1:\(port)/\(path)\(path == "later" ? "/\(port)" : "")"
            let attempt = Task { try await post(["url": .string(url), "body": 1], port, clock: clock) }
            await served.requests(1)
            await clock.sleepers(1)
            clock.advance(by: .seconds(29))
            if path == "later" {
                served.pass.yield()
                await served.requests(2)
            }
            #expect(clock.untilNext == .seconds(1))
            clock.advance(by: .seconds(1))
            let error = await #expect(throws: SinkRetryError.self) { try await attempt.value }
            #expect(error?.description == "no answer within 30.0 seconds")
            served.pass.yield()
        }
    }

    /// The head acknowledges the outputs: the rest of an answer that doesn't come is waited for five seconds.
    @Test func aBodyThatDoesNotComeIsLeftOut() async throws {
        try await withServer { port, served in
            let clock = TestClock()
            async let attempt: Void = post(
                ["url": .string("http://127.0.0.1:\(port)/stalled"), "body": 1],
                port,
                clock: clock
            )
            while clock.untilNext != .seconds(5) { await Task.yield() }
            clock.advance(by: .seconds(5))
            try await attempt
            served.pass.yield()
        }
    }

    @Test func linesStayInTheirFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = HubSettings()
        settings.filesFolder = folder.path
        let receiver = try #require(settings.outside().receiver("lines"))
        func write(_ path: String, _ line: JSON, rotate: Int? = nil) async throws {
            var request: JSON.Object = ["path": .string(path), "line": line]
            request["rotate"] = rotate.map { .int(Int64($0)) }
            try await receiver(SinkDelivery(key: "k", request: .object(request), stream: "a"))
        }
        func read(_ name: String) throws -> String {
            try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        try await write("a.log", "one\ntwo")
        try await write("a.log", ["n": 1])
        #expect(try read("a.log") == "one two\n{\"n\":1}\n")
        // A CR LF is one character, and two bytes.
        try await write("d.log", "one\r\ntwo\rthree\u{85}four\u{2028}")
        #expect(try read("d.log") == "one  two three\u{85}four\u{2028}\n")
        // A line that a kill has cut off stays apart from the next.
        try Data("cut".utf8).write(to: folder.appendingPathComponent("b.log"))
        try await write("b.log", 1)
        #expect(try read("b.log") == "cut\n1\n")
        for number in 0..<300 { try await write("c.log", .string("line \(number)"), rotate: 1024) }
        let (old, new) = (try read("c.log.1"), try read("c.log"))
        #expect(old.utf8.count <= 1024 && new.utf8.count <= 1024 && new.hasSuffix("line 299\n"))
        let last = old.split(separator: "\n").last.flatMap { Int($0.dropFirst(5)) } ?? 0
        #expect(new.hasPrefix("line \(last + 1)\n"))
        let outside = FileManager.default.temporaryDirectory.path
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: outside)
        for path in ["../x", outside + "/x", "", "a/../../x", "link"] {
            await #expect(throws: SinkRefusalError.self, "\(path)") { try await write(path, 1) }
        }
        await #expect(throws: (any Error).self) { try await write("link/x", 1) }
        settings.filesFolder = nil
        let none = try #require(settings.outside().receiver("lines"))
        await #expect(throws: SinkRefusalError.self) {
            try await none(SinkDelivery(key: "k", request: ["path": "x", "line": 1], stream: "a"))
        }
    }
}
#endif
