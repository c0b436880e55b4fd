#if Hub
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceConnect
import SluiceJSON
import SluiceRuns
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// The outside sources of a hub's streams.
@Suite struct OutsideSourcesTests {
    /// The values of a document's source, and why it failed.
    private func values(_ source: String, _ settings: HubSettings, atMost count: Int = 1000) async throws
        -> (values: [JSON], error: String?)
    {
        let document = try StreamDocument(parsing: #"{"source": \#(source)}"#)
        var values: [JSON] = []
        do {
            for try await value in try document.values(host: settings.outside()) {
                values.append(value)
                if values.count == count { break }
            }
            return (values, nil)
        } catch { return (values, "\(error)") }
    }

    private func local() throws -> HubSettings {
        var settings = HubSettings()
        settings.allowedHosts = [try AllowedHost("127.0.0.1")]
        return settings
    }

    private final class Served: Sendable {
        let requests = Locked<[HTTPFields]>([])
    }

    private func withServer(_ test: @Sendable (Int, Served) async throws -> Void) async throws {
        let (router, served) = (Router(), Served())
        @Sendable func note(_ request: Request) -> Int {
            served.requests.withLock {
                $0.append(request.headers); return $0.count
            }
        }
        router.get("/price") { request, _ in
            let count = note(request)
            return Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: #"{"price": \#(count / 2)}"#))
            )
        }
        router.get("/tagged") { request, _ in
            _ = note(request)
            let headers: HTTPFields = [.eTag: #""1""#, .cacheControl: "no-cache", .contentType: "text/plain"]
            if request.headers[.ifNoneMatch] != nil { return Response(status: .notModified, headers: headers) }
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: "same")))
        }
        router.get("/flaky") { request, _ in
            let count = note(request)
            if count <= 6 { return Response(status: .serviceUnavailable) }
            return Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: "\(count)"))
            )
        }
        router.get("/flaky-events") { request, _ in
            let count = note(request)
            if count <= 3 { return Response(status: .serviceUnavailable) }
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream"],
                body: .init(byteBuffer: ByteBuffer(string: "id: \(count)\ndata: \(count)\n\n"))
            )
        }
        router.get("/missing") { _, _ -> Response in throw HTTPError(.notFound) }
        router.get("/events") { request, _ in
            let first = note(request) == 1
            let text = first ? "retry: 1\nid: 7\ndata: {\"a\": 1}\n\nevent: other\ndata: x\n\n" : "data: text\n\n"
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream"],
                body: .init(byteBuffer: ByteBuffer(string: text))
            )
        }
        try await Application(router: router).test(.live) { client in try await test(client.port ?? 0, served) }
    }

    @Test func pollGivesEachAnswer() async throws {
        try await withServer { port, served in
            let source =
                #"{"poll": {"url": "http://127.0.0.1:\#(port)/price", "seconds": 0.1, "headers": {"X-Key": "k"}}}"#
            let given = try await values(source, local(), atMost: 3).values
            #expect(given == [["price": 0], ["price": 1], ["price": 1]])
            let key = try #require(HTTPField.Name("X-Key"))
            #expect(served.requests.withLock { $0.allSatisfy { $0[key] == "k" } })
        }
    }

    @Test func pollGivesChangesAlone() async throws {
        try await withServer { port, _ in
            let source = #"{"poll": {"url": "http://127.0.0.1:\#(port)/price", "seconds": 0.1, "changes": true}}"#
            let given = try await values(source, local(), atMost: 3).values
            #expect(given == [["price": 0], ["price": 1], ["price": 2]])
        }
    }

    @Test func pollAsksWhetherAnythingHasChanged() async throws {
        try await withServer { port, served in
            let source = #"{"poll": {"url": "http://127.0.0.1:\#(port)/tagged", "seconds": 0.1}}"#
            let given = try await values(source, local(), atMost: 2).values
            #expect(given == ["same", "same"])
            #expect(served.requests.withLock { $0.prefix(2).map { $0[.ifNoneMatch] } } == [nil, #""1""#])
        }
    }

    @Test func pollThatFailsFailsItsStream() async throws {
        try await withServer { port, _ in
            let source = #"{"poll": {"url": "http://127.0.0.1:\#(port)/missing", "seconds": 1}}"#
            let error = try await values(source, local()).error
            #expect(error?.contains("GET http://127.0.0.1:\(port)/missing: 404 Not Found") == true)
        }
    }

    /// A server that is away for long fails no stream, and is not asked more often than once in a while.
    @Test(.timeLimit(.minutes(20))) func aServerThatIsAwayIsWaitedFor() async throws {
        try await withServer { port, served in
            let clock = TestClock()
            let source = #"{"poll": {"url": "http://127.0.0.1:\#(port)/flaky", "seconds": 1}}"#
            let text = #"{"id": "p", "source": \#(source)}"#
            var settings = try local()
            settings.host = settings.outside(clock: clock)
            let hub = try await Hub([text], clock: clock, settings: settings)
            try await hub.hub.run("p").start()
            let reason = #"poll: GET http://127.0.0.1:\#(port)/flaky: 503 Service Unavailable"#
            try await hub.until("the stream waits") {
                try await hub.ask(.get, "/streams/p/run").json["waiting"]?.string == reason
            }
            try await hub.until("an answer") {
                if let next = clock.untilNext { clock.advance(by: next) }
                return try await hub.store.outputs(of: "p", run: nil, after: 0, limit: 10).count > 0
            }
            #expect(served.requests.withLock { $0.count } >= 7)
            // The clock may have passed the time limit of a request under way, which is then another failure to wait for.
            try await hub.until("the wait is over") {
                if let next = clock.untilNext { clock.advance(by: next) }
                let run = try await hub.ask(.get, "/streams/p/run").json
                return run["state"] == "running" && run["waiting"] == nil
            }
            try await hub.hub.run("p").stop()
        }
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["poll", "events"])
    func aServerThatCannotBeReachedIsWaitedFor(_ kind: String) async throws {
        // Nobody listens on the port of a server that has ended.
        let closed = Locked(0)
        try await withServer { port, _ in closed.withLock { $0 = port } }
        let port = closed.withLock { $0 }
        let clock = TestClock()
        let seconds = kind == "poll" ? #", "seconds": 1"# : ""
        var settings = try local()
        settings.host = settings.outside(clock: clock)
        let text = #"{"id": "p", "source": {"\#(kind)": {"url": "http://127.0.0.1:\#(port)/"\#(seconds)}}}"#
        let hub = try await Hub([text], clock: clock, settings: settings)
        try await hub.hub.run("p").start()
        let begun = clock.now
        try await hub.until("ten minutes of failures") {
            if let next = clock.untilNext { clock.advance(by: next) }
            return begun.duration(to: clock.now) > .seconds(600)
        }
        let run = try await hub.ask(.get, "/streams/p/run").json
        #expect(run["state"] == "running" && run["waiting"]?.string?.hasPrefix(kind) == true, "\(run)")
        try await hub.hub.run("p").stop()
    }

    @Test func eventsGoOnAfterTheLast() async throws {
        try await withServer { port, served in
            let source = #"{"events": "http://127.0.0.1:\#(port)/events"}"#
            let given = try await values(source, local(), atMost: 3).values
            #expect(given == [["a": 1], "x", "text"])
            let name = try #require(HTTPField.Name("Last-Event-ID"))
            #expect(served.requests.withLock { $0.prefix(2).map { $0[name] } } == [nil, "7"])
        }
    }

    /// A server that is away fails no stream, and a hub that is started again continues after the last event.
    @Test(.timeLimit(.minutes(20))) func eventsContinueAfterARestart() async throws {
        try await withServer { port, served in
            let (clock, store) = (TestClock(), MemoryStreamStore())
            var settings = try local()
            settings.host = settings.outside(clock: clock)
            let text = #"{"id": "e", "source": {"events": "http://127.0.0.1:\#(port)/flaky-events"}}"#
            var hub = try await Hub([text], on: store, clock: clock, settings: settings)
            try await hub.hub.run("e").start()
            @Sendable func outputs(_ hub: Hub) async throws -> [String] {
                try await hub.store.outputs(of: "e", run: nil, after: 0, limit: 100).map(\.text)
            }
            func until(_ count: Int, _ hub: Hub) async throws {
                try await hub.until("\(count) events") {
                    if let next = clock.untilNext { clock.advance(by: next) }
                    return try await outputs(hub).count >= count
                }
            }
            try await until(3, hub)
            await hub.hub.shutDown()
            let (asked, last) = (served.requests.withLock { $0.count }, try await outputs(hub).last)
            hub = try await Hub(on: store, clock: clock, settings: settings)
            try await hub.until("another request") {
                if let next = clock.untilNext { clock.advance(by: next) }
                return served.requests.withLock { $0.count } > asked
            }
            let name = try #require(HTTPField.Name("Last-Event-ID"))
            #expect(served.requests.withLock { $0[asked][name] } == last)
            #expect(hub.state("e") == .running)
            await hub.hub.shutDown()
        }
    }

    @Test func eventsOfANameAlone() async throws {
        try await withServer { port, _ in
            let source = #"{"events": {"url": "http://127.0.0.1:\#(port)/events", "event": "other"}}"#
            let given = try await values(source, local(), atMost: 1).values
            #expect(given == ["x"])
        }
    }

    @Test(arguments: ["poll", "events"])
    func nothingIsReachedUnlessItIsAllowed(_ kind: String) async throws {
        let seconds = kind == "poll" ? #", "seconds": 1"# : ""
        for url in ["http://127.0.0.1/x", "http://169.254.169.254/", "http://example.com/"] {
            let source = #"{"\#(kind)": {"url": "\#(url)"\#(seconds)}}"#
            let error = try await values(source, HubSettings()).error
            #expect(error?.contains("not on the list of what streams may reach: --allow") == true, "\(url)")
        }
    }

    @Test(arguments: [
        #"{"Host": "x"}"#, #"{"Content-Length": "1"}"#, #"{"transfer-encoding": "chunked"}"#, #"{"Connection": "x"}"#,
        #"{"Proxy-Authorization": "x"}"#, #"{"a b": "x"}"#, #"{"a": 1}"#, #"{"a": "x\r\nb: y"}"#, #"{"": "x"}"#,
    ])
    func headersThatAreNoneOfADocumentAreRefused(_ headers: String) async throws {
        let source = #"{"poll": {"url": "http://127.0.0.1/", "seconds": 1, "headers": \#(headers)}}"#
        let error = try await values(source, local()).error
        #expect(error?.contains("headers: ") == true)
    }

    @Test func pollIsNotToHurry() {
        let source = #"{"poll": {"url": "http://127.0.0.1/", "seconds": 0.001}}"#
        #expect {
            try StreamDocument(parsing: #"{"source": \#(source)}"#)
        } throws: { error in
            "\(error)".contains("expected a number of seconds from 0.1, found 0.001")
        }
    }

    @Test(arguments: ["numbers.txt", "-", "/etc/passwd"])
    func linesAreReadWhereAFolderIsNamedAlone(_ path: String) async throws {
        let error = try await values(#"{"lines": "\#(path)"}"#, HubSettings()).error
        #expect(error?.contains("no files may be read here: --files FOLDER allows those of a folder") == true)
    }

    @Test func linesStayInTheirFolder() async throws {
        let files = FileManager.default
        let root = files.temporaryDirectory.appendingPathComponent("lines-\(UInt64.random(in: 0...UInt64.max))")
        defer { try? files.removeItem(at: root) }
        let folder = root.appendingPathComponent("folder")
        try files.createDirectory(at: folder.appendingPathComponent("deep"), withIntermediateDirectories: true)
        try Data("secret\n".utf8).write(to: root.appendingPathComponent("secret"))
        try Data("1\n2\n".utf8).write(to: folder.appendingPathComponent("deep/numbers.txt"))
        func link(_ name: String, _ target: String) throws {
            let path = folder.appendingPathComponent(name).path
            try files.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        try link("out", "../secret")
        try link("up", "..")
        try link("absolute", "/etc/passwd")
        #expect(mkfifo(folder.appendingPathComponent("pipe").path, 0o600) == 0)
        var settings = HubSettings()
        settings.filesFolder = folder.path
        let lines = try await values(#"{"lines": "deep/numbers.txt"}"#, settings).values
        #expect(lines == ["1", "2"])
        for path in [
            "../secret", "deep/../../secret", "/etc/passwd", "out", "up/secret", "absolute", "deep", "pipe", "", ".",
            "./deep/numbers.txt", "deep//numbers.txt", "\(folder.path)/deep/numbers.txt", "/dev/zero", "deep/",
            "deep/numbers.txt/x", "a\\u0000b",
        ] {
            let result = try await values(#"{"lines": "\#(path)"}"#, settings)
            #expect(result.values.isEmpty && result.error?.contains("cannot read \(path.prefix(1))") == true, "\(path)")
        }
        let error = try await values(#"{"lines": "-"}"#, settings).error
        #expect(error?.contains("standard input is not read here: name a file") == true)
    }

    /// One stream that reads nothing takes no other along, and says why it failed.
    @Test func aStreamThatMayNotReadSaysSo() async throws {
        var settings = HubSettings()
        settings.host = settings.outside()
        let text = #"{"id": "p", "source": {"poll": {"url": "http://10.0.0.1/", "seconds": 1}}}"#
        let hub = try await Hub([text, Document.items("b", [1])], settings: settings)
        #expect(try await hub.ask(.post, "/streams/p/start").status == .ok)
        try await hub.until("it has failed") { hub.state("p") == .failed }
        let error = try await hub.ask(.get, "/streams/p/run").json["error"]?.string
        #expect(error?.contains("--allow 10.0.0.1:80 allows it") == true)
        #expect(try await hub.ask(.post, "/streams/b/start").json["state"] == "running")
    }
}
#endif
