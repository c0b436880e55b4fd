#if Hub
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Sluice
import SluiceConnect
import SluiceFilters
import SluiceJSON
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// Filter stacks of the hub, edited while sources and sinks use them.
@Suite(.timeLimit(.minutes(30))) struct NamedStackTests {
    private final class Box: Sendable {
        let items = Locked<[JSON]>([])
        let requests = Locked(0)
    }

    private func settings(_ box: Box) -> HubSettings {
        var settings = HubSettings()
        settings.host.registerSink("box") { delivery in
            box.items.withLock { $0.append(delivery.request["value"] ?? .null) }
        }
        return settings
    }

    /// A rate by which the second delivery waits for longer than the test.
    private static let slow = #"{"filters": [{"rate": {"limit": 1, "seconds": 1000000}}]}"#
    private static let fast = #"{"filters": []}"#

    private static func delivering(_ source: String) -> String {
        #"{"id": "a", "source": \#(source), "sinks": [{"id": "b", "outside": {"name": "box", "stack": "s"}}]}"#
    }

    /// An edit reaches the sinks of streams that run, and of those that have ended.
    @Test(arguments: [#"{"values": [1, 2, 3]}"#, #"{"merge": {"sources": [{"values": [1, 2, 3]}, {"never": {}}]}}"#])
    func anEditReachesSinks(_ source: String) async throws {
        let box = Box()
        let hub = try await Hub(settings: settings(box))
        #expect(try await hub.ask(.put, "/stacks/s", Self.slow, ["If-None-Match": "*"]).status == .created)
        #expect(try await hub.ask(.post, "/streams", Self.delivering(source)).status == .created)
        #expect(try await hub.ask(.post, "/streams/a/start").status == .ok)
        try await hub.until("the first delivery") {
            try await hub.pass(1)
            return box.items.withLock { $0.count } == 1
        }
        try await hub.pass(60)
        #expect(box.items.withLock { $0 } == [1])
        #expect(try await hub.ask(.put, "/stacks/s", Self.fast, ["If-Match": #""1""#]).status == .ok)
        try await hub.until("all deliveries") {
            try await hub.pass(1)
            return box.items.withLock { $0.count } == 3
        }
        #expect(box.items.withLock { $0 } == [1, 2, 3])
    }

    /// A hub that starts again knows its stacks before the first of its streams goes on.
    @Test func stacksOutliveTheHub() async throws {
        let (box, store) = (Box(), MemoryStreamStore())
        let first = try await Hub(on: store, settings: settings(box))
        #expect(try await first.ask(.put, "/stacks/s", Self.slow, ["If-None-Match": "*"]).status == .created)
        #expect(try await first.ask(.post, "/streams", Self.delivering(#"{"values": [1, 2]}"#)).status == .created)
        #expect(try await first.ask(.post, "/streams/a/start").status == .ok)
        try await first.until("the first delivery") {
            try await first.pass(1)
            return box.items.withLock { $0.count } == 1
        }
        await first.hub.shutDown()
        let second = try await Hub(on: store, settings: settings(box))
        #expect(try await second.ask(.get, "/stacks").json[0]?["streams"] == ["a"])
        #expect(try await second.ask(.put, "/stacks/s", Self.fast, ["If-Match": #""1""#]).status == .ok)
        try await second.until("all deliveries") {
            try await second.pass(1)
            return box.items.withLock { $0.count } >= 2
        }
        await second.hub.shutDown()
    }

    /// A stack that is stored after a stream has ended, and could not run with what it names since, reaches its sinks.
    @Test func aStackThatComesLaterReachesSinks() async throws {
        let box = Box()
        let hub = try await Hub(settings: settings(box))
        #expect(try await hub.ask(.put, "/stacks/s", Self.slow, ["If-None-Match": "*"]).status == .created)
        #expect(try await hub.ask(.post, "/streams", Self.delivering(#"{"values": [1, 2]}"#)).status == .created)
        #expect(try await hub.ask(.post, "/streams/a/start").status == .ok)
        try await hub.until("the first delivery") {
            try await hub.pass(1)
            return box.items.withLock { $0.count } == 1
        }
        let other = Self.delivering(#"{"values": [1, 2]}"#).replacing(#""s""#, with: #""later""#)
        #expect(try await hub.ask(.put, "/streams/a", other, ["If-Match": #""1""#]).status == .ok)
        #expect(try await hub.ask(.put, "/stacks/later", Self.fast, ["If-None-Match": "*"]).status == .created)
        try await hub.until("all deliveries") {
            try await hub.pass(1)
            return box.items.withLock { $0.count } == 2
        }
    }

    /// A run that goes on with an older text has the stack that it was begun with, though that is deleted.
    @Test func aRunOnAnOlderTextKeepsItsStack() throws {
        let library = StreamLibrary([try StreamDocument(preserving: Array(#"{"id": "s", "filters": []}"#.utf8))])
        let hub = NamedStacks()
        let stacks = NamedStacks(of: hub, orElse: library)
        #expect(try stacks.stack("s", of: .source)?.attempt.filters.count == 0)
        hub.update("s", try StackDocument(parsing: #"{"filters": [{"rate": {"limit": 1}}]}"#))
        #expect(try stacks.stack("s", of: .source)?.attempt.filters.count == 1)
        hub.update("s", nil)
        #expect(try stacks.stack("s", of: .source)?.attempt.filters.count == 0)
        #expect(try stacks.stack("t", of: .source) == nil)
    }

    /// An edit reaches a source that polls, which goes on as it is.
    @Test func anEditReachesSources() async throws {
        let (box, clock) = (Box(), TestClock())
        let router = Router()
        router.get("/price") { _, _ in
            let count = box.requests.withLock { count in
                count += 1
                return count
            }
            return Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: "\(count)"))
            )
        }
        try await Application(router: router).test(.live) { client in
            let port = client.port ?? 0
            var settings = HubSettings()
            settings.allowedHosts = [try AllowedHost("127.0.0.1:\(port)")]
            settings.host = settings.outside(clock: clock)
            let hub = try await Hub(clock: clock, settings: settings)
            let broken = #"{"filters": [{"chaos": {"inject": [{"fault": {"rate": 1}}]}}]}"#
            #expect(try await hub.ask(.put, "/stacks/s", broken, ["If-None-Match": "*"]).status == .created)
            let poll =
                #"{"id": "p", "source": {"poll": {"url": "http://127.0.0.1:\#(port)/price", "seconds": 5, "stack": "s"}}}"#
            #expect(try await hub.ask(.post, "/streams", poll).status == .created)
            #expect(try await hub.ask(.post, "/streams/p/start").status == .ok)
            try await hub.until("it waits") {
                if let next = clock.untilNext { clock.advance(by: next) }
                return try await hub.ask(.get, "/streams/p/run").text.contains("injected fault")
            }
            #expect(box.requests.withLock { $0 } == 0)
            #expect(try await hub.ask(.put, "/stacks/s", Self.fast, ["If-Match": #""1""#]).status == .ok)
            try await hub.until("values") {
                if let next = clock.untilNext { clock.advance(by: next) }
                return try await hub.store.outputs(of: "p", run: nil, after: 0, limit: 100).count >= 2
            }
            #expect(hub.state("p") == .running)
            await hub.hub.shutDown()
        }
    }
}
#endif
