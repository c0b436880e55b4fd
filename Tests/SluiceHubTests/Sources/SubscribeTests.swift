#if Hub
import Foundation
import HTTPTypes
import Sluice
import SluiceConnect
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// Streams that read other streams of the hub.
@Suite(.timeLimit(.minutes(30))) struct SubscribeTests {
    /// A stream that gives what is posted to it.
    static func posted(_ id: String = "a", _ more: String = "") -> String {
        #"{"id": "\#(id)", "source": {"webhook": {"name": "in", "auth": "none"}}\#(more)}"#
    }

    static func reader(_ id: String = "r", _ arguments: String = #""a""#) -> String {
        #"{"id": "\#(id)", "source": {"subscribe": \#(arguments)}}"#
    }

    private func post(_ hub: Hub, _ items: [String], to id: String = "a") async throws {
        try await hub.until("the webhook is read") { hub.hub.around.webhooks.entry(id, "in") != nil }
        for item in items {
            try await hub.until("the item \(item) is taken") {
                try await hub.ask(.post, "/streams/\(id)/webhook/in", item).status == .noContent
            }
        }
    }

    private func outputs(_ hub: Hub, _ id: String = "r") async throws -> [String] {
        try await hub.store.outputs(of: id, afterRun: 0, sequence: 0, limit: 100_000).map(\.text)
    }

    /// Waits until a stream has given these values, and checks that it gives no others.
    private func expect(_ hub: Hub, _ values: [String], from id: String = "r") async throws {
        try await hub.until("\(id) gives \(values.count) values") {
            try await hub.pass(1)
            return try await outputs(hub, id).count >= values.count
        }
        try await hub.pass(2)
        #expect(try await outputs(hub, id) == values)
    }

    /// Waits until a reader knows where it begins, and that is stored.
    private func waitForPlace(_ hub: Hub, _ place: String, of id: String = "r") async throws {
        try await hub.until("\(id) begins after \(place)") {
            try await hub.pass(1)
            let checkpoint = try await hub.store.run(of: id)?.checkpoint ?? ""
            let journal = try await hub.store.journal(of: id).map(\.item.description)
            return (journal + [checkpoint]).contains { $0.contains("\"\(place)\"") }
        }
    }

    private func status(_ hub: Hub, _ id: String = "r") async throws -> JSON {
        try await hub.ask(.get, "/streams/\(id)/run").json
    }

    private func waitForReport(_ hub: Hub, _ text: String, of id: String = "r") async throws {
        try await hub.until("\(id) waits: \(text)") {
            try await hub.pass(1)
            return try await status(hub, id)["waiting"]?.string?.contains(text) ?? false
        }
    }

    // MARK: Outputs

    @Test func manyReadersReadOneRun() async throws {
        let hub = try await Hub([
            Self.posted(), Self.reader("now"), Self.reader("all", #"{"stream": "a", "from": "start"}"#),
            Self.reader("some", #"{"stream": "a", "from": "1-1"}"#),
        ])
        try await hub.hub.run("a").start()
        try await post(hub, ["1", #"{"n": 2}"#])
        for id in ["now", "all", "some"] { try await hub.hub.run(id).start() }
        try await waitForPlace(hub, "1-2", of: "now")
        try await post(hub, ["3", "4"])
        try await expect(hub, ["3", "4"], from: "now")
        try await expect(hub, ["1", #"{"n":2}"#, "3", "4"], from: "all")
        try await expect(hub, [#"{"n":2}"#, "3", "4"], from: "some")
        #expect(try await status(hub, "a")["run"] == 1)
        await hub.hub.shutDown()
    }

    @Test func aSubscriptionSurvivesTheRunsThatItReads() async throws {
        let hub = try await Hub([Self.posted(), Self.reader()])
        try await hub.hub.run("r").start()
        try await waitForPlace(hub, "0-0")
        let run = try await hub.hub.run("a")
        try await run.start()
        try await post(hub, ["1", "2"])
        await run.stop()
        try await run.start()
        try await post(hub, ["3"])
        try await expect(hub, ["1", "2", "3"])
        try await run.reset()
        try await run.start()
        try await post(hub, ["4"])
        try await expect(hub, ["1", "2", "3", "4"])
        #expect(try await status(hub)["run"] == 1)
        await hub.hub.shutDown()
    }

    @Test func aStreamThatDoesNotExistIsWaitedFor() async throws {
        let hub = try await Hub([Self.posted(), Self.reader()])
        for id in ["r", "a"] { try await hub.hub.run(id).start() }
        try await waitForPlace(hub, "0-0")
        try await post(hub, ["1"])
        try await expect(hub, ["1"])
        let head = try await hub.ask(.get, "/streams/a")
        #expect(try await hub.ask(.delete, "/streams/a", nil, ["If-Match": #require(head.etag)]).status.code < 300)
        try await waitForReport(hub, "there is no stream with the id 'a'")
        #expect(try await hub.ask(.post, "/streams", Self.posted()).status == .created)
        try await hub.until("it waits no longer") {
            try await hub.pass(1)
            return try await status(hub)["waiting"] == nil
        }
        try await hub.hub.run("a").start()
        try await post(hub, ["2"])
        try await expect(hub, ["1", "2"])
        await hub.hub.shutDown()
    }

    /// A hub that is killed after any number of items has a successor whose reader has each of them once.
    @Test(arguments: 0..<6) func aKillLosesAndRepeatsNothing(_ count: Int) async throws {
        let store = MemoryStreamStore()
        let hub = try await Hub([Self.posted(), Self.reader()], on: store)
        for id in ["r", "a"] { try await hub.hub.run(id).start() }
        try await waitForPlace(hub, "0-0")
        let items = (0..<count).map { "\($0)" }
        try await post(hub, items)
        if count.isMultiple(of: 2) { try await hub.pass(1) }
        let successor = try await Hub(on: MemoryStreamStore(copying: store))
        try await post(successor, ["100", "101"])
        try await expect(successor, items + ["100", "101"])
        for one in [hub, successor] { await one.hub.shutDown() }
    }

    /// A document may read several streams, each after a cursor of its own, and an edit of it keeps them.
    @Test func cursorsSurviveEditsAndKills() async throws {
        func text(_ expression: String) -> String {
            #"{"id": "r", "source": {"merge": [{"subscribe": "a"}, {"subscribe": "b"}]}, "#
                + #""operators": [{"id": "m", "map": {"expression": "\#(expression)"}}]}"#
        }
        let store = MemoryStreamStore()
        let hub = try await Hub([Self.posted("a"), Self.posted("b"), text("x")], on: store)
        for id in ["r", "a", "b"] { try await hub.hub.run(id).start() }
        try await waitForPlace(hub, "0-0")
        try await hub.until("both are read") {
            try await hub.pass(1)
            return try await hub.store.journal(of: "r").count >= 2
        }
        try await post(hub, ["1"], to: "a")
        try await expect(hub, ["1"])
        try await post(hub, ["2"], to: "b")
        try await expect(hub, ["1", "2"])
        #expect(try await hub.ask(.put, "/streams/r", text("x * 10"), ["If-Match": "\"1\""]).status == .ok)
        try await post(hub, ["3"], to: "a")
        try await expect(hub, ["1", "2", "30"])
        let successor = try await Hub(on: MemoryStreamStore(copying: store))
        try await post(successor, ["4"], to: "b")
        try await expect(successor, ["1", "2", "30", "40"])
        try await post(successor, ["5"], to: "a")
        try await expect(successor, ["1", "2", "30", "40", "50"])
        for one in [hub, successor] { await one.hub.shutDown() }
    }

    @Test func aSlowReaderDelaysNobody() async throws {
        let hub = try await Hub([Self.posted(), Self.reader(), Self.reader("other")])
        for id in ["r", "other", "a"] { try await hub.hub.run(id).start() }
        for id in ["r", "other"] { try await waitForPlace(hub, "0-0", of: id) }
        try await hub.hub.run("r").pause()
        let items = (0..<700).map { "\($0)" }
        try await post(hub, items)
        try await expect(hub, items, from: "other")
        #expect(try await outputs(hub) == [])
        try await hub.hub.run("r").resume()
        try await expect(hub, items)
        await hub.hub.shutDown()
    }

    @Test func whatIsNoLongerKeptIsCounted() async throws {
        var settings = HubSettings()
        settings.restart = .never
        let hub = try await Hub(
            [
                Self.posted(), Self.reader("early"), Self.reader("strict", #"{"stream": "a", "from": "1-1"}"#),
                Self.reader("lenient", #"{"stream": "a", "from": "1-1", "missing": "skip"}"#),
                Self.reader("all", #"{"stream": "a", "from": "start"}"#),
            ],
            settings: settings
        )
        // One that begins before the first output, and doesn't read while outputs come and go.
        try await hub.hub.run("early").start()
        try await waitForPlace(hub, "0-0", of: "early")
        try await hub.hub.run("early").stop()
        try await hub.hub.run("a").start()
        try await post(hub, ["1", "2", "3", "4", "5"])
        try await hub.pass(1)
        try await hub.store.trim(Retention(outputs: 2))
        for id in ["strict", "lenient", "all"] { try await hub.hub.run(id).start() }
        try await expect(hub, ["4", "5"], from: "lenient")
        try await expect(hub, ["4", "5"], from: "all")
        try await hub.until("it fails") {
            try await hub.pass(1)
            return try await status(hub, "strict")["error"]?.string?.contains("2 outputs after 1-1") ?? false
        }
        let error = try await status(hub, "strict")["error"]?.string ?? ""
        #expect(error.contains("the next one is 1-4") && error.contains(#""missing": "skip""#))
        try await hub.hub.run("early").resume()
        try await hub.until("it fails") {
            try await hub.pass(1)
            return try await status(hub, "early")["error"]?.string?.contains("3 outputs after 0-0") ?? false
        }
        await hub.hub.shutDown()
    }

    @Test func aStoreThatFailsIsReadAgain() async throws {
        let store = FailingStore()
        let hub = try await Hub([Self.posted(), Self.reader()], on: store)
        for id in ["r", "a"] { try await hub.hub.run(id).start() }
        try await waitForPlace(hub, "0-0")
        store.isUnreadable.withLock { $0 = true }
        try await post(hub, ["1"])
        try await waitForReport(hub, "the store can't be read")
        store.isUnreadable.withLock { $0 = false }
        try await expect(hub, ["1"])
        await hub.hub.shutDown()
    }

    /// A reader sends nothing again that it has sent before the store failed.
    @Test func aStoreThatFailsBetweenPagesRepeatsNothing() async throws {
        let store = FailingStore()
        let hub = try await Hub([Self.posted(), Self.reader("r", #"{"stream": "a", "from": "start"}"#)], on: store)
        try await hub.hub.run("a").start()
        let items = (0..<600).map { "\($0)" }
        try await post(hub, items)
        store.flaky.withLock { $0 = "a" }
        try await hub.hub.run("r").start()
        try await expect(hub, items)
        await hub.hub.shutDown()
    }

    /// A reader that takes one output after another holds few large ones meanwhile.
    @Test(arguments: [(10, 256), (100_000, 2), (900_000, 1)])
    func largeOutputsAreReadAFewAtATime(_ size: Int, _ most: Int) async throws {
        let store = FailingStore()
        let hub = try await Hub([Self.posted(), Self.reader("r", #"{"stream": "a", "from": "start"}"#)], on: store)
        try await hub.hub.run("a").start()
        let items = (0..<8).map { _ in JSON.string(String(repeating: "x", count: size)).text() }
        try await post(hub, items)
        try await hub.hub.run("r").start()
        try await expect(hub, items)
        let limits = store.limits.withLock { $0["a"] ?? [] }
        #expect(limits.first == 1 && (limits.max() ?? 0) <= most && (limits.last ?? 0) > most / 2)
        await hub.hub.shutDown()
    }

    @Test func aHubThatStoresNothingSaysSo() async throws {
        var settings = HubSettings()
        settings.isDurable = false
        let hub = try await Hub([Self.posted(), Self.reader()], settings: settings)
        try await hub.hub.run("r").start()
        try await hub.until("it fails") {
            try await hub.pass(1)
            return try await status(hub)["error"]?.string?.contains("doesn't store") ?? false
        }
        await hub.hub.shutDown()
    }

    // MARK: Errors and states

    @Test func reportedErrorsAreItems() async throws {
        let operators = #", "operators": [{"map": {"expression": "10 / x", "onError": "report"}}]"#
        let hub = try await Hub([
            Self.posted("a", operators), Self.reader("r", #"{"stream": "a", "of": "errors", "from": "start"}"#),
        ])
        for id in ["r", "a"] { try await hub.hub.run(id).start() }
        try await post(hub, ["5", "0", "2", "0"])
        try await hub.until("two errors") {
            try await hub.pass(1)
            return try await outputs(hub).count == 2
        }
        let items = try await outputs(hub).map { try JSON(parsing: $0) }
        #expect(items.map { $0["sequence"] } == [2, 4])
        #expect(items.allSatisfy { $0["kind"] == "reported" && $0["run"] == 1 })
        #expect(items.allSatisfy { $0["error"]?.string?.contains("divi") ?? false })
        await hub.hub.shutDown()
    }

    /// The states that a stream goes through, as its reader got them.
    private func expectStates(_ hub: Hub, _ states: [String]) async throws {
        try await hub.until("the state \(states.last ?? "")") {
            try await hub.pass(1)
            return try await outputs(hub).last.map { try JSON(parsing: $0)["state"]?.string } == states.last
        }
        #expect(try await outputs(hub).map { try JSON(parsing: $0)["state"]?.string } == states)
    }

    @Test func statesAreItems() async throws {
        let isOpen = Locked(false)
        var settings = HubSettings()
        settings.host.register("shy") { _, inlet in
            inlet.report(waiting: "nobody is there")
            while !isOpen.withLock({ $0 }) {
                try Task.checkCancellation()
                await Task.yield()
            }
            inlet.report(waiting: nil)
            let (forever, _) = AsyncStream<Never>.makeStream()
            for await _ in forever {}
        }
        let hub = try await Hub(
            [#"{"id": "a", "source": {"outside": "shy"}}"#, Self.reader("r", #"{"stream": "a", "of": "states"}"#)],
            settings: settings
        )
        try await hub.hub.run("r").start()
        try await expectStates(hub, ["idle"])
        try await hub.hub.run("a").start()
        try await hub.until("it waits") {
            try await hub.pass(1)
            return try await outputs(hub).last?.contains("nobody is there") ?? false
        }
        isOpen.withLock { $0 = true }
        try await expectStates(hub, ["idle", "running", "waiting", "running"])
        try await hub.hub.run("a").pause()
        try await expectStates(hub, ["idle", "running", "waiting", "running", "paused"])
        await hub.hub.shutDown()
    }

    @Test func blockedSinksAndFailuresAreStates() async throws {
        let refuses = Locked(true)
        var settings = HubSettings()
        settings.restart = .never
        settings.host.registerSink("box") { _ in if refuses.withLock({ $0 }) { throw SinkRefusalError("404") } }
        let more =
            #", "operators": [{"map": {"expression": "10 / x"}}], "#
            + #""sinks": [{"id": "s", "outside": {"name": "box"}}]"#
        let hub = try await Hub(
            [Self.posted("a", more), Self.reader("r", #"{"stream": "a", "of": "states"}"#)],
            settings: settings
        )
        for id in ["a", "r"] { try await hub.hub.run(id).start() }
        try await expectStates(hub, ["running"])
        try await post(hub, ["1"])
        try await expectStates(hub, ["running", "blocked"])
        #expect(try await outputs(hub).last?.contains("blocked sinks: s") ?? false)
        refuses.withLock { $0 = false }
        #expect(try await hub.ask(.post, "/streams/a/sinks/s/retry").status.code < 300)
        try await expectStates(hub, ["running", "blocked", "running"])
        _ = try await hub.ask(.post, "/streams/a/webhook/in", "0")
        try await expectStates(hub, ["running", "blocked", "running", "failed"])
        #expect(try await outputs(hub).last?.contains("divi") ?? false)
        await hub.hub.shutDown()
    }

    /// One stream reads the states of all others: first those that need attention, then every change, and after a kill again
    /// what needs attention.
    @Test func oneStreamReadsTheStatesOfAll() async throws {
        var settings = HubSettings()
        settings.restart = .never
        let store = MemoryStreamStore()
        let failing = #", "operators": [{"map": {"expression": "10 / x"}}]"#
        let texts = [
            Self.posted("a", failing), Self.posted("b", failing), Self.posted("c"),
            Self.reader("r", #"{"of": "states"}"#),
        ]
        let hub = try await Hub(texts, on: store, settings: settings)
        for id in ["a", "b", "c"] { try await hub.hub.run(id).start() }
        try await post(hub, ["0"], to: "a")
        try await hub.until("a fails") { hub.state("a") == .failed }
        try await hub.hub.run("r").start()
        func states(_ hub: Hub) async throws -> [String] {
            try await outputs(hub).map { text in
                let item = try JSON(parsing: text)
                return "\(item["stream"]?.string ?? "") \(item["state"]?.string ?? "")"
            }
        }
        func expectStates(_ hub: Hub, _ wanted: [String]) async throws {
            try await hub.until("\(wanted)") {
                try await hub.pass(1)
                return try await states(hub).count >= wanted.count
            }
            #expect(try await states(hub) == wanted)
        }
        try await expectStates(hub, ["a failed"])
        try await post(hub, ["0"], to: "b")
        try await expectStates(hub, ["a failed", "b failed"])
        try await hub.hub.run("c").pause()
        try await expectStates(hub, ["a failed", "b failed", "c paused"])
        await hub.hub.shutDown()
        let next = try await Hub(on: store, clock: hub.clock, settings: settings)
        try await next.until("what needs attention") {
            try await next.pass(1)
            return try await states(next).count >= 5
        }
        #expect(try await Set(states(next).suffix(2)) == ["a failed", "b failed"])
        #expect(try await states(next).count == 5)
        await next.hub.shutDown()
    }

    @Test func onlyStatesAreReadOfAll() async throws {
        let hub = try await Hub()
        for text in [#"{"of": "errors"}"#, "{}"] {
            let answer = try await hub.ask(.post, "/check", Self.reader("r", text))
            #expect(answer.text.contains(#"only the states are read of all"#), "\(text): \(answer.text)")
        }
        #expect(try await hub.ask(.get, "/streams/a/items?of=other").status == .badRequest)
        #expect(try await hub.ask(.get, "/streams/a/items?from=yesterday").status == .badRequest)
    }

    // MARK: Cycles

    @Test func cyclesAreRefused() async throws {
        let hub = try await Hub([Self.posted("b"), #"{"id": "c", "source": {"subscribe": "b"}}"#])
        func refused(_ document: String, _ text: String) async throws {
            let answer = try await hub.ask(.post, "/streams", document)
            #expect(answer.status == .unprocessableContent && answer.text.contains(text), "\(answer.text)")
        }
        try await refused(Self.reader("a", #""a""#), "a cycle of subscriptions: 'a' → 'a'")
        // An edit that closes a cycle.
        let edited = #"{"id": "b", "source": {"merge": [{"values": [1]}, {"subscribe": {"stream": "c"}}]}}"#
        let answer = try await hub.ask(.put, "/streams/b", edited, ["If-Match": "\"1\""])
        #expect(answer.status == .unprocessableContent && answer.text.contains("'b' → 'c' → 'b'"), "\(answer.text)")
        // Two documents at once.
        let both = "[\(Self.reader("d", #""e""#)), \(Self.reader("e", #""d""#))]"
        #expect(try await hub.ask(.post, "/import", both).status == .unprocessableContent)
        // A cycle of a reference and a subscription: what c refers to would read c.
        #expect(try await hub.ask(.post, "/streams", #"{"id": "f", "source": {"ref": "c"}}"#).status == .created)
        let closing = #"{"id": "b", "source": {"subscribe": "f"}}"#
        let other = try await hub.ask(.put, "/streams/b", closing, ["If-Match": "\"1\""])
        #expect(other.status == .unprocessableContent && other.text.contains("'b' → 'f' → 'c' → 'b'"), "\(other.text)")
        // A parameter can't hide one.
        try await refused(
            #"{"id": "g", "parameters": {"s": "b"}, "source": {"subscribe": "${s}"}}"#,
            "name the stream itself"
        )
        await hub.hub.shutDown()
    }
}
#endif
