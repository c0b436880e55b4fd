#if Hub
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import SluiceJSON
import SluiceRuns
import SluiceStreams
import Testing

@testable import SluiceHub

/// Attacks on how much a hub takes.
@Suite struct LimitTests {
    /// The budgets that the safety page promises, of the hub and of each run.
    @Test func budgetsHaveTheirDefaults() {
        let (limits, run) = (HubLimits(), RunSettings(HubSettings()))
        #expect(limits.valueSize == 1 << 20 && run.limits.valueSize == 1 << 20)
        #expect(limits.stateSize == 16 << 20 && run.stateSize == 16 << 20)
        #expect(limits.eventRing == 8 << 20 && limits.backlog == 8 << 20)
        #expect(limits.runsMemory == 256 << 20 && run.memory.limit == 256 << 20)
    }

    @Test func longBodiesAreRefused() async throws {
        var settings = HubSettings()
        settings.limits.bodySize = 1000
        let hub = try await Hub(settings: settings)
        let body = String(repeating: " ", count: 1001)
        for path in ["/streams", "/check", "/picture", "/groups/all/members/m"] {
            let answer = try await hub.ask(path.hasPrefix("/groups") ? .put : .post, path, body)
            #expect(answer.status == .contentTooLarge, "\(path)")
        }
        // A login is short, whatever documents may be.
        let login = #"{"token": "\#(String(repeating: "a", count: 20_000))"}"#
        #expect(try await hub.ask(.post, "/session", login).status == .contentTooLarge)
    }

    @Test(arguments: ["/streams", "/check", "/picture", "/import"])
    func deepJSONIsRefused(_ path: String) async throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let objects = String(repeating: #"{"a":"#, count: 50_000) + "1" + String(repeating: "}", count: 50_000)
        let hub = try await Hub()
        for body in [deep, objects] {
            let answer = try await hub.ask(.post, path, body)
            if path == "/check" {
                #expect(try answer.json["errors"]?.array?.isEmpty == false)
            } else {
                #expect(answer.status == .unprocessableContent)
            }
            #expect(answer.text.utf8.count < 2000)
        }
    }

    @Test func documentsAndOperatorsAreCounted() async throws {
        var settings = HubSettings()
        settings.limits.documents = 3
        settings.limits.operators = 5
        let hub = try await Hub([Document.items("a", [1]), Document.items("b", [1])], settings: settings)
        let operators = Array(repeating: #"{"map": {"expression": "x"}}"#, count: 5).joined(separator: ",")
        let many = #"{"source": {"never": {}}, "operators": [\#(operators)]}"#
        #expect(try await hub.ask(.post, "/streams", many).status == .unprocessableContent)
        #expect(try await hub.ask(.post, "/streams", #"{"stream": []}"#).status == .created)
        #expect(try await hub.ask(.post, "/streams", #"{"stream": []}"#).status == .insufficientStorage)
    }

    @Test func longNamesAreCutInProblems() async throws {
        let hub = try await Hub()
        let long = String(repeating: "a", count: 10_000)
        for path in ["/streams/\(long)", "/groups/\(long)", "/page/\(long)", "/streams/\(long)/revisions/1"] {
            #expect(try await hub.ask(.get, path).text.utf8.count < 500, "\(path.prefix(20))")
        }
    }

    @Test func listenersAreCounted() async throws {
        var settings = HubSettings()
        settings.limits.subscribers = 2
        let hub = try await Hub(settings: settings)
        let first = try hub.subscribe()
        let second = try await hub.hub.subscribe(toGroup: "all", after: nil)
        for path in ["/events", "/groups/all/events", "/streams/a/items", "/states"] {
            let answer = try await hub.ask(.get, path)
            #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] == "5", "\(path)")
        }
        // One that is let go of listens no more.
        withExtendedLifetime((first, second)) {}
    }

    /// The readers of items are event streams too: each counts until its connection ends, and the hub ends them with itself.
    @Test func readersOfItemsAreCounted() async throws {
        let hub = try await Hub()
        try await Application(router: hub.routes.router()).test(.live) { client in
            for path in ["/streams/a/items", "/streams/a/items?of=states", "/states"] {
                let reader = try await DeafReader(port: client.port ?? 0, path: path)
                try await hub.until("it reads") { await hub.hub.subscriberCount == 1 }
                await reader.close()
                // The next write finds the connection closed.
                try await hub.until("it is gone") {
                    await hub.hub.tend()
                    return await hub.hub.subscriberCount == 0
                }
            }
            let reader = try await DeafReader(port: client.port ?? 0, path: "/states")
            try await hub.until("it reads") { await hub.hub.subscriberCount == 1 }
            await hub.hub.shutDown()
            try await hub.until("it has ended") { await hub.hub.subscriberCount == 0 }
            await reader.close()
        }
    }

    /// A reader that takes nothing is cut off, and others do not wait for it.
    @Test func aReaderThatTakesNothingIsCutOff() async throws {
        var settings = HubSettings()
        settings.limits.patience = .milliseconds(300)
        (settings.limits.backlog, settings.limits.backlogs) = (64 << 20, 256 << 20)
        let hub = try await Hub(settings: settings)
        let bus = hub.hub.around.bus
        try await Application(router: hub.routes.router()).test(.live) { client in
            let deaf = try await DeafReader(port: client.port ?? 0, path: "/events")
            try await hub.until("it listens") { bus.subscriberCount == 1 }
            let other = try hub.subscribe()
            let data = JSON.object(["id": .string(String(repeating: "a", count: 200_000))]).description
            for _ in 0..<200 { bus.publish("changed", data, of: "x") }
            for _ in 0..<200 { _ = try await other.next("changed") }
            try await hub.until("it is cut off") { bus.subscriberCount == 1 }
            bus.publish("removed", data, of: "x")
            _ = try await other.next("removed")
            await deaf.close()
        }
    }

    /// A request that does not come to its end is not waited for.
    @Test func aSlowRequestIsCutOff() async throws {
        let hub = try await Hub()
        let application = Application(
            router: hub.routes.router(),
            server: .http1(configuration: .init(idleTimeout: .milliseconds(300)))
        )
        try await application.test(.live) { client in
            let head = "POST /streams HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
            for text in [head, "GET / HT", ""] {
                let slow = try await SlowWriter(port: client.port ?? 0, text)
                try await slow.closed()
            }
        }
    }
}
#endif
