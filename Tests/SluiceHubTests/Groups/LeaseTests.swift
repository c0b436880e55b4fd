#if Hub
import Foundation
import HTTPTypes
import SluiceJSON
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub
@testable import SluiceRuns

/// The leases of streams, and what is stored under them.
@Suite struct LeaseTests {
    private let text =
        #"{"id": "a", "source": {"interval": {"seconds": 1}}, "sinks": [{"id": "hook", "outside": {"name": "desk"}}]}"#
    private let path = "/groups/all/streams/a/lease"

    private func acquire(_ hub: Hub, _ member: String) async throws -> JSON {
        let answer = try await hub.ask(.post, path, #"{"member": "\#(member)"}"#)
        #expect(answer.status == .ok)
        return try answer.json
    }

    private func call(_ hub: Hub, _ number: Int, _ call: LeasedCall, write: Int? = nil) async throws -> Hub.Answer {
        let body = try SluiceJSONEncoder().bytes(LeasedRequest(write: write, call: call))
        return try await hub.ask(.post, "\(path)/\(number)/calls", String(decoding: body, as: UTF8.self))
    }

    private func commit(_ count: Int, from first: Int = 1, isNew: Bool = false, inputs: [StreamInput] = [])
        -> LeasedCall
    {
        .commit(
            run: RunCommit(
                stream: "a",
                run: 1,
                isNewRun: isNew,
                revision: 1,
                state: "running",
                savedAt: .init(timeIntervalSince1970: 1_000_000),
                inputs: inputs,
                outputs: (first..<first + count).map {
                    StoredOutput(
                        run: 1,
                        sequence: $0,
                        time: StreamTime(nanoseconds: Int64($0)),
                        kind: .value,
                        text: "\($0)"
                    )
                }
            )
        )
    }

    @Test func aCommitUnderAnOldNumberIsRefused() async throws {
        let hub = try await Hub([text])
        #expect(try await acquire(hub, "one")["number"] == 1)
        #expect(try await call(hub, 1, commit(2, isNew: true), write: 1).status == .ok)
        let refused = try await acquire(hub, "two")
        #expect(refused["number"] == nil && refused["cursor"] == "1-2")
        #expect(refused["reason"]?.string == "it runs on the member 'one' of the group 'all'")
        hub.clock.advance(by: .nanoseconds(StreamLease.duration))
        #expect(try await acquire(hub, "two")["number"] == 2)
        let late = try await call(hub, 1, commit(1, from: 3), write: 2)
        #expect(late.status == .preconditionFailed)
        #expect(
            try late.json["detail"]?.string
                == "the lease 1 of the stream 'a' has ended: the last one is 2; nothing was stored"
        )
        #expect(try await hub.ask(.put, "\(path)/1").status == .preconditionFailed)
        #expect(try await hub.ask(.delete, "\(path)/1").status == .preconditionFailed)
        #expect(try await hub.store.run(of: "a")?.outputs == 2)
        // The next holder continues where the last has left it.
        let answer = try await call(hub, 2, .run)
        #expect(try answer.json["value"]?["outputs"] == 2 && answer.json["value"]?["run"] == 1)
        #expect(try await call(hub, 2, commit(1, from: 3), write: 1).status == .ok)
        #expect(try await hub.ask(.get, "/streams/a/output").json.array?.count == 3)
    }

    @Test func aWriteThatIsSentAgainIsDoneOnce() async throws {
        let hub = try await Hub([text])
        _ = try await acquire(hub, "one")
        let input = StreamInput(source: "s", time: .zero, item: ["value", 1])
        let write = commit(1, isNew: true, inputs: [input])
        for _ in 0..<3 { #expect(try await call(hub, 1, write, write: 1).status == .ok) }
        let next = commit(1, from: 2, inputs: [input])
        for _ in 0..<3 { #expect(try await call(hub, 1, next, write: 2).status == .ok) }
        #expect(try await hub.store.journal(of: "a").count == 2)
        #expect(try await call(hub, 1, write, write: 1).status == .conflict)
        #expect(try await call(hub, 1, write).status == .unprocessableContent)
    }

    @Test func theNumberGrowsOverARestartOfTheHub() async throws {
        let store = MemoryStreamStore()
        let clock = TestClock()
        var hub = try await Hub([text], on: store, clock: clock)
        _ = try await acquire(hub, "one")
        _ = try await call(hub, 1, commit(1, isNew: true), write: 1)
        hub = try await Hub(on: store, clock: clock)
        // The hub does not resume what a member runs.
        #expect(await hub.hub.waiting["a"] == nil)
        #expect(await hub.hub.runs["a"] == nil)
        #expect(try await call(hub, 1, commit(1, from: 2), write: 2).status == .preconditionFailed)
        #expect(try await acquire(hub, "two")["number"] == nil)
        #expect(try await acquire(hub, "one")["number"] == 2)
    }

    @Test func theHubAndAMemberDoNotRunAStreamTogether() async throws {
        let hub = try await Hub([text])
        #expect(try await hub.ask(.post, "/streams/a/start").status == .ok)
        #expect(try await acquire(hub, "one")["reason"] == "the hub runs it: stop it there first")
        #expect(try await hub.ask(.post, "/streams/a/stop").status == .ok)
        hub.clock.advance(by: .nanoseconds(StreamLease.duration))
        #expect(try await acquire(hub, "one")["number"] == 1)
        let stop = try await hub.ask(.post, "/streams/a/stop")
        #expect(stop.status == .conflict)
        #expect(
            try stop.json["detail"]?.string
                == "the stream can't be commanded here: it runs on the member 'one' of the group 'all'"
        )
        #expect(try await hub.ask(.delete, "\(path)/1").status == .noContent)
        #expect(try await hub.ask(.post, "/streams/a/start").status == .ok)
        #expect(try await call(hub, 1, commit(1, from: 9), write: 1).status == .preconditionFailed)
    }

    /// A command is forwarded with each renewal until the holder has answered, and ends with its lease at the latest.
    /// The state that a member reports reaches streams that read states, and goes with its lease.
    @Test func aReportIsSeen() async throws {
        let watch = #"{"id": "w", "source": {"subscribe": {"stream": "a", "of": "states"}}}"#
        let hub = try await Hub([text, watch])
        _ = try await hub.ask(.post, "/streams/w/start")
        #expect(try await acquire(hub, "one")["number"] == 1)
        _ = try await call(hub, 1, commit(2, isNew: true), write: 1)
        try await hub.pass(0.1)
        var report = LeasedReport()
        let figures = SinkFigures(stream: "a", sink: "hook", delivered: 1, failed: 0, waiting: 5, isBlocked: true)
        report.sinks = [.init(figures: figures, json: ["id": "hook", "state": "blocked", "deadLetters": 9])]
        func renew(_ report: LeasedReport) async throws -> HTTPResponse.Status {
            let body = String(decoding: try SluiceJSONEncoder().bytes(report), as: UTF8.self)
            return try await hub.ask(.put, "\(path)/1", body).status
        }
        #expect(try await renew(report) == .ok)
        // The letters are those of the hub.
        #expect(
            try await hub.ask(.get, "/streams/a/sinks").json == [["id": "hook", "state": "blocked", "deadLetters": 0]]
        )
        #expect(try await reaches("blocked", hub))
        let metrics = try await hub.ask(.get, "/metrics").text
        #expect(metrics.contains(#"sluice_sink_blocked{stream="a",sink="hook"} 1"#))
        #expect(metrics.contains(#"sluice_stream_items_out_total{stream="a"} 0"#))
        report.sinks = []
        report.waiting = "the server is away"
        #expect(try await renew(report) == .ok)
        #expect(try await reaches("waiting", hub))
        #expect(try await hub.ask(.get, "/streams/a/run").json["waiting"] == "the server is away")
        // A lease that is over takes its report along.
        #expect(try await hub.ask(.delete, "\(path)/1").status == .noContent)
        #expect(try await hub.ask(.get, "/streams/a/run").json["waiting"] == nil)
        #expect(try await renew(report) == .preconditionFailed)
        #expect(try await hub.ask(.put, "\(path)/1", "[]").status == .unprocessableContent)
    }

    /// Returns a Boolean value that indicates whether the last output of the stream `w` becomes a state. The reader of a
    /// subscription is a task, which the time of the hub does not wait for.
    private func reaches(_ state: String, _ hub: Hub) async throws -> Bool {
        for _ in 0..<100 {
            let last = try await hub.ask(.get, "/streams/w/output").json.array?.last
            if last?["value"]?["state"]?.string == state { return true }
            try await hub.pass(0.03)
        }
        return false
    }

    /// A member that is killed releases nothing: the report goes when the lease is over.
    @Test func aReportEndsWithItsLease() async throws {
        let watch = #"{"id": "w", "source": {"subscribe": {"stream": "a", "of": "states"}}}"#
        let hub = try await Hub([text, watch])
        _ = try await hub.ask(.post, "/streams/w/start")
        _ = try await acquire(hub, "one")
        _ = try await call(hub, 1, commit(2, isNew: true), write: 1)
        var report = LeasedReport()
        let figures = SinkFigures(stream: "a", sink: "hook", delivered: 1, failed: 0, waiting: 5, isBlocked: true)
        report.sinks = [.init(figures: figures, json: ["id": "hook", "state": "blocked"])]
        let body = String(decoding: try SluiceJSONEncoder().bytes(report), as: UTF8.self)
        #expect(try await hub.ask(.put, "\(path)/1", body).status == .ok)
        #expect(try await reaches("blocked", hub))
        try await hub.pass(7)
        #expect(try await reaches("running", hub))
        #expect(try await hub.ask(.get, "/streams/a/sinks").json.array?.first?["state"] == "idle")
    }

    @Test func aCommandWaitsForTheAnswerOfTheHolder() async throws {
        let hub = try await Hub([text])
        _ = try await acquire(hub, "one")
        func orders() async throws -> [JSON] {
            try await hub.ask(.put, "\(path)/1").json["orders"]?.array ?? []
        }
        async let paused = hub.ask(.post, "/streams/a/pause")
        try await hub.until("a command") { try await !orders().isEmpty }
        #expect(try await orders() == [["number": 1, "command": ["pause": [:]]]])
        let outcome = LeasedOutcome.run(json: #"{"state": "paused"}"#)
        #expect(try await call(hub, 1, .answer(order: 1, outcome: outcome), write: 1).status == .ok)
        #expect(try await paused.json == ["state": "paused"])
        #expect(try await orders() == [])
        // The answers of sinks, and refusals.
        for (number, (outcome, status)) in [
            (LeasedOutcome.sinks(json: "[]", isDone: true), HTTPResponse.Status.ok),
            (.sinks(json: "[]", isDone: false), .conflict), (.sinks(json: "[]", isDone: nil), .notFound),
            (.refused(.conflict, reason: "no"), .conflict), (.refused(.invalid, reason: "no"), .unprocessableContent),
            (.refused(.unavailable, reason: "no"), .serviceUnavailable),
        ].enumerated() {
            async let answer = hub.ask(.post, "/streams/a/sinks/hook/retry")
            try await hub.until("a command") { try await !orders().isEmpty }
            #expect(
                try await call(hub, 1, .answer(order: number + 2, outcome: outcome), write: number + 2).status == .ok
            )
            #expect(try await answer.status == status)
        }
        async let lost = hub.ask(.post, "/streams/a/resume")
        try await hub.until("a command") { try await !orders().isEmpty }
        try await hub.pass(7)
        let answer = try await lost
        #expect(answer.status == .serviceUnavailable)
        #expect(
            try answer.json["detail"] == "the member that ran the stream has lost its lease: it may have done it"
        )
    }

    /// A member that renews its lease and answers nothing keeps nobody waiting for ever.
    @Test func aCommandThatIsNotAnsweredEnds() async throws {
        let hub = try await Hub([text])
        _ = try await acquire(hub, "one")
        async let answer = hub.ask(.post, "/streams/a/resume")
        try await hub.until("a command") { await hub.hub.waitingOrders(of: "a") != nil }
        for _ in 0..<10 {
            #expect(try await hub.ask(.put, "\(path)/1").status == .ok)
            try await hub.pass(4)
        }
        #expect(try await answer.status == .serviceUnavailable)
        #expect(
            try await answer.json["detail"]
                == "the member that runs the stream has not answered in time: it may have done it"
        )
    }

    /// The members of a group learn that a lease is free, and that there are outputs; its holder, that a command waits.
    @Test func membersLearnOfLeases() async throws {
        let hub = try await Hub([text])
        let events = Subscriber(try await hub.hub.subscribe(toGroup: "all", after: nil))
        _ = try await acquire(hub, "one")
        async let paused = hub.ask(.post, "/streams/a/pause")
        #expect(try await events.next("leases").data == ["waiting": [], "holding": ["a"]])
        _ = try await call(hub, 1, .answer(order: 1, outcome: .run(json: "{}")), write: 1)
        _ = try await paused
        for number in 1...3 {
            _ = try await call(hub, 1, commit(1, from: number, isNew: number == 1), write: number + 1)
        }
        try await hub.pass(1)
        #expect(try await events.next("leases").data == ["waiting": ["a"], "holding": []])
        // The three commits were one event: the next one is the end of the lease, which nobody has renewed.
        try await hub.pass(5)
        let free = try await events.next("leases")
        #expect(free.data == ["waiting": ["a"], "holding": []] && free.id == nil)
        _ = try await acquire(hub, "two")
        #expect(try await hub.ask(.delete, "\(path)/2").status == .noContent)
        #expect(try await events.next("leases").data == ["waiting": ["a"], "holding": []])
    }

    @Test func onlyMembersOfAGroupThatHasTheStreamGetIt() async throws {
        let hub = try await Hub([text])
        _ = try await hub.ask(.put, "/groups/blue")
        let answer = try await hub.ask(.post, "/groups/blue/streams/a/lease", #"{"member": "one"}"#)
        #expect(answer.status == .notFound)
        #expect(try answer.json["detail"]?.string == "the group 'blue' does not have the stream 'a'")
        #expect(try await hub.ask(.post, path, "{}").status == .unprocessableContent)
        #expect(try await hub.ask(.post, "\(path)/x/calls", "{}").status == .unprocessableContent)
        #expect(try await call(hub, 1, .run).status == .preconditionFailed)
    }

    @Test func aCallChangesItsOwnStreamOnly() async throws {
        let hub = try await Hub([text, Document.items("b", [1])])
        _ = try await acquire(hub, "one")
        let other = LeasedCall.commitSinks(sinks: [SinkCommit(sink: StoredSink(stream: "b", id: "x", cursor: .start))])
        #expect(try await call(hub, 1, other, write: 1).status == .unprocessableContent)
    }
}
#endif
