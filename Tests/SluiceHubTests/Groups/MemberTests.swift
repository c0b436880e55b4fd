#if Hub
import Foundation
import HTTPTypes
import Sluice
import SluiceClient
import SluiceHTTP
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTestSupport
import SluiceTesting
import Testing

@testable import SluiceHub

/// Members of a group that run a stream with a sink on the hub's store, over loopback.
@Suite(.timeLimit(.minutes(20))) struct MemberTests {
    /// A receiver of deliveries.
    private final class Desk: Sendable {
        let keys = Locked<[String]>([])
        private let requests = Locked<[JSON]>([])
        let isRefusing = Locked(true)
        let changes = Signal()

        @Sendable func deliver(_ delivery: SinkDelivery) async throws {
            // Before a test learns of the delivery: it may change it next.
            let isRefused = isRefusing.withLock { $0 }
            keys.withLock { $0.append(delivery.key) }
            requests.withLock { $0.append(delivery.request) }
            changes.notify()
            if isRefused { throw SinkRefusalError("404") }
        }

        var count: Int { keys.withLock { $0.count } }
        /// The values in the order of their first delivery: a member that leaves may have one delivered again, under its key.
        var values: [JSON] {
            let (keys, requests) = (keys.withLock { $0 }, requests.withLock { $0 })
            var seen: Set<String> = []
            return zip(keys, requests).filter { seen.insert($0.0).inserted }.map { $0.1["value"] ?? .null }
        }
    }

    /// The notices of a member.
    private final class Notices: Sendable {
        private let notices = Locked<[FollowerNotice]>([])
        let changes = Signal()

        @Sendable func add(_ notice: FollowerNotice) {
            notices.withLock { $0.append(notice) }
            changes.notify()
        }

        func contains(_ isWanted: (FollowerNotice) -> Bool) -> Bool {
            notices.withLock { $0.contains(where: isWanted) }
        }
    }

    private static let ticks =
        #"{"id": "a", "source": {"interval": {"seconds": 0.01}}, "sinks": [{"id": "hook", "outside": {"name": "desk"}}]}"#

    private static func withHub(
        _ text: String,
        lease: Int64 = 60_000_000_000,
        _ test: @Sendable (_ hub: HubClient, _ store: MemoryStreamStore) async throws -> Void
    ) async throws {
        let store = MemoryStreamStore()
        try await store.create([StreamDraft(id: "a", name: nil, text: text)], by: nil)
        // A lease that a slow machine can't renew in time would be a takeover, which these tests are not about.
        var settings = HubSettings()
        settings.leaseDuration = lease
        try await withServer(settings, on: store) { port in
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
            try await test(HubClient(url), store)
        }
    }

    /// Runs a member until `test` has ended.
    private static func withMember(
        _ name: String,
        of hub: HubClient,
        _ desk: Desk,
        _ clock: some Clock<Duration> = ContinuousClock(),
        _ test: (Notices) async throws -> Void
    ) async throws {
        var settings = GroupFollower<ContinuousClock>.Settings()
        settings.name = name
        settings.host.registerSink("desk", desk.deliver)
        let notices = Notices()
        let task = Self.follow(hub, name, settings.host, clock, notices)
        do { try await test(notices) } catch {
            task.cancel()
            _ = await task.result
            throw error
        }
        task.cancel()
        _ = await task.result
    }

    private static func follow<C: Clock>(
        _ hub: HubClient,
        _ name: String,
        _ host: StreamHost,
        _ clock: C,
        _ notices: Notices
    ) -> Task<Void, any Error> where C.Duration == Duration {
        var settings = GroupFollower<C>.Settings()
        (settings.name, settings.host) = (name, host)
        let follower = GroupFollower(hub, member: name, settings: settings, clock: clock)
        return Task { try await follower.run { notices.add($0) } }
    }

    /// Waits until something holds, which is looked at after each change, or else asked of the hub again and again.
    private static func until(_ changes: Signal? = nil, _ holds: () async throws -> Bool) async throws {
        var looks = Looks()
        while try await !holds() {
            if let changes { await changes.wait() } else { await looks.pause() }
            try Task.checkCancellation()
        }
    }

    /// Returns a Boolean value that indicates whether a command was done: a conflict, or a member that isn't there yet, is tried
    /// again by the caller.
    private static func isDone(_ command: () async throws -> Void) async throws -> Bool {
        do { try await command() } catch let error as HTTPError {
            guard [409, 503].contains(error.response?.status.code ?? 0) else { throw error }
            return false
        }
        return true
    }

    /// The hub shows the sinks of a member as if it ran the stream itself.
    @Test func theHubShowsTheSinksOfAMember() async throws {
        // The state comes with a renewal: at a fifth of the lease.
        try await Self.withHub(Self.ticks, lease: 10_000_000_000) { hub, _ in
            let desk = Desk()
            try await Self.withMember("one", of: hub, desk) { _ in
                // On a loaded machine the lease may be lost between two looks, and acquired again.
                var sink: HubClient.Sink?
                try await Self.until {
                    sink = try await hub.sinks(of: "a").first
                    return sink?.state == "blocked" && sink?.waiting ?? 0 > 1
                }
                #expect(sink?.error?.contains("404") == true && sink?.deadLetters == 0)
                try await Self.until {
                    let stream = try await hub.overview().streams.first { $0.id == "a" }
                    return stream?.isBlocked == true && stream?.waiting ?? 0 > 1 && stream?.out ?? 0 > 1
                }
                desk.isRefusing.withLock { $0 = false }
                try await Self.until { try await Self.isDone { _ = try await hub.retry("hook", of: "a") } }
                try await Self.until {
                    try await hub.sinks(of: "a").first.map { $0.state != "blocked" && $0.delivered > 1 } ?? false
                }
            }
            // The member has left: nobody delivers.
            try await Self.until { try await hub.sinks(of: "a").first?.state == "idle" }
        }
    }

    @Test func commandsReachTheMemberThatRunsTheStream() async throws {
        try await Self.withHub(Self.ticks) { hub, store in
            let desk = Desk()
            try await Self.withMember("one", of: hub, desk) { _ in
                try await Self.until(desk.changes) { desk.count == 1 }
                // The sink is blocked at the first output: the same request again.
                try await Self.until { try await Self.isDone { _ = try await hub.retry("hook", of: "a") } }
                try await Self.until(desk.changes) { desk.count == 2 }
                #expect(Set(desk.keys.withLock { $0 }).count == 1)
                try await Self.until {
                    try await Self.isDone {
                        let sinks = try await hub.skip("hook", of: "a")
                        #expect(sinks.map(\.deadLetters) == [1])
                    }
                }
                // The next one is refused, too.
                try await Self.until(desk.changes) { desk.count == 3 }
                desk.isRefusing.withLock { $0 = false }
                let letter = try #require(try await hub.deadLetters(of: "a").first)
                _ = try await hub.resend(letter.number, of: "a")
                try await Self.until { try await hub.deadLetters(of: "a").isEmpty }
                let first = desk.keys.withLock { $0[0] }
                #expect(desk.keys.withLock { $0.contains(first + "/2") })
                // A letter that is dropped is gone.
                try await Self.until { try await Self.isDone { _ = try await hub.skip("hook", of: "a") } }
                let second = try #require(try await hub.deadLetters(of: "a").first)
                try await hub.dropDeadLetter(second.number, of: "a")
                #expect(try await hub.deadLetters(of: "a").isEmpty)
                try await Self.until(desk.changes) { desk.count > 20 }
                // The run.
                #expect(try await hub.pause("a").state == .paused)
                let paused = try await store.run(of: "a")
                #expect(paused?.isPaused == true)
                #expect(try await hub.setSpeed(of: "a", to: 2).speed == 2)
                let stepped = try await hub.step("a")
                #expect(stepped.state == .paused)
                let count = try await store.run(of: "a")?.outputs ?? 0
                #expect(count == (paused?.outputs ?? 0) + 1)
                #expect(try await hub.resume("a").state == .running)
                try await Self.until(desk.changes) { try await store.run(of: "a")?.outputs ?? 0 > count }
                #expect(try await hub.reset("a").state == .idle)
                #expect(try await hub.output(of: "a").isEmpty)
                #expect(try await hub.run(of: "a").state == .idle)
                let again = try await hub.start("a")
                #expect(again.state == .running && again.run == 2)
                let known = desk.count
                try await Self.until(desk.changes) { desk.count > known + 3 }
                // A member decides by itself whether it leaves: the hub refuses a stop with a hint.
                let error = await #expect(throws: HTTPError.self) { try await hub.stop("a") }
                #expect(error?.response?.status.code == 409)
            }
        }
    }

    /// A member reads the streams of its hub with `subscribe`: outputs from a cursor, over a restart of the member, and states.
    @Test func aMemberReadsTheStreamsOfItsHub() async throws {
        func reader(_ arguments: String) -> String {
            #"{"id": "a", "source": {"subscribe": \#(arguments)}, "sinks": [{"id": "hook", "outside": {"name": "desk", "value": "x"}}]}"#
        }
        let settings = #"{"stream": "numbers", "from": "start"}"#
        try await Self.withHub(reader(settings)) { hub, _ in
            let desk = Desk()
            desk.isRefusing.withLock { $0 = false }
            try await Self.withMember("one", of: hub, desk) { notices in
                // It waits for a stream that doesn't exist yet.
                try await Self.until { try await hub.run(of: "a").state == .running }
                _ = try await hub.create(#"{"id": "numbers", "source": {"values": [1, 2, 3]}}"#)
                try await hub.start("numbers")
                try await Self.until(desk.changes) { desk.values == [1, 2, 3] }
            }
            try await hub.start("numbers")
            // The next member continues where the first has left the run.
            try await Self.withMember("two", of: hub, desk) { _ in
                try await Self.until(desk.changes) {
                    desk.values == [1, 2, 3, 1, 2, 3]
                }
            }
        }
        try await Self.withHub(reader(#"{"of": "states"}"#)) { hub, _ in
            let desk = Desk()
            desk.isRefusing.withLock { $0 = false }
            try await Self.withMember("one", of: hub, desk) { _ in
                try await Self.until { try await hub.run(of: "a").state == .running }
                _ = try await hub.create(#"{"id": "b", "source": {"never": {}}}"#)
                try await hub.start("b")
                // It reads the changes since it was connected, and while it is slow the newest of them.
                try await Self.until {
                    _ = try await hub.pause("b")
                    _ = try await hub.resume("b")
                    let states = desk.values.filter { $0["stream"] == "b" }.map { $0["state"] }
                    return states.contains("running") && states.contains("paused")
                }
            }
        }
    }

    /// A webhook is received by a hub alone: a member refuses the document, and says so in its report.
    @Test func aMemberRefusesAWebhook() async throws {
        let text =
            #"{"id": "a", "source": {"webhook": {"name": "in", "auth": "none"}}, "sinks": [{"id": "hook", "outside": {"name": "desk"}}]}"#
        try await Self.withHub(text) { hub, _ in
            try await Self.withMember("one", of: hub, Desk()) { notices in
                try await Self.until(notices.changes) {
                    notices.contains { notice in
                        guard case .refused(let stream, _, let errors) = notice else { return false }
                        return stream == "a" && "\(errors)".contains("a webhook is received by a hub, and not here")
                    }
                }
            }
        }
    }

    /// A member that waits asks for the lease when the hub says so: its own clock never moves.
    @Test func aMemberThatWaitsTakesOverAtOnce() async throws {
        try await Self.withHub(Self.ticks) { hub, _ in
            let (one, two) = (Desk(), Desk())
            one.isRefusing.withLock { $0 = false }
            let holder = Locked<Task<Void, any Error>?>(nil)
            var host = StreamHost()
            host.registerSink("desk", one.deliver)
            holder.withLock { $0 = Self.follow(hub, "one", host, ContinuousClock(), Notices()) }
            try await Self.until(one.changes) { one.count > 0 }
            try await Self.withMember("two", of: hub, two, TestClock()) { notices in
                try await Self.until(notices.changes) {
                    notices.contains { if case .waiting = $0 { true } else { false } }
                }
                // It shows what the holder has put out.
                try await Self.until(notices.changes) {
                    notices.contains { if case .event = $0 { true } else { false } }
                }
                let task = holder.withLock { $0 }
                task?.cancel()
                _ = await task?.result
                try await Self.until(notices.changes) {
                    notices.contains { if case .taken(_, _, _, .resumed) = $0 { true } else { false } }
                }
            }
        }
    }
}
#endif
