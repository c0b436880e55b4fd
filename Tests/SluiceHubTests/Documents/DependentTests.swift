#if Hub
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import Testing

@testable import SluiceHub

/// The documents that refer to one that is edited or deleted.
@Suite struct DependentTests {
    private let texts = [
        Document.interval("a", 1).replacing(#""id": "a""#, with: #""id": "a", "name": "Base""#),
        #"{"id": "b", "name": "By id", "source": {"ref": "a"}, "operators": [{"id": "s", "scan": {"expression": "acc + x * 1"}}]}"#,
        #"{"id": "c", "name": "By name", "source": {"ref": "Base"}}"#,
        #"{"id": "d", "name": "Through b", "source": {"ref": "b"}}"#,
        #"{"id": "e", "name": "Apart", "stream": []}"#,
    ]
    /// A document that is stored and doesn't run.
    private let unknown = #"{"id": "a", "name": "Base", "source": {"quantum": {}}}"#

    private func states(_ hub: Hub) async throws -> [String] {
        try await hub.settle()
        return try await hub.ask(.get, "/streams").json.array?.compactMap { $0["state"]?.string } ?? []
    }

    /// Every way to write, with the dependents that it breaks.
    static let breaking: [(method: HTTPRequest.Method, path: String, body: String?, field: String?, broken: [String])] =
        [
            (.delete, "/streams/a", nil, "\"2\"", ["b", "c", "d"]),
            (.delete, "/streams/b", nil, "\"1\"", ["d"]),
            (.put, "/streams/a", #"{"id": "a", "name": "Base", "source": {"quantum": {}}}"#, "\"2\"", ["b", "c", "d"]),
            (.put, "/streams/a", #"{"id": "a", "name": "Other", "stream": []}"#, "\"2\"", ["c"]),
            (.put, "/streams/a", #"{"id": "a", "name": "Base", "source": {"ref": "d"}}"#, "\"2\"", ["b", "c", "d"]),
            (.post, "/streams/a/rollback", #"{"revision": 1}"#, "\"2\"", ["c"]),
            (.post, "/streams", #"{"id": "x", "name": "Base", "stream": []}"#, nil, ["c"]),
            (.post, "/import", #"[{"id": "x", "name": "Base", "stream": []}]"#, nil, ["c"]),
        ]

    private func hub() async throws -> Hub {
        let hub = try await Hub([texts[0].replacing("Base", with: "Early")] + texts[1...])
        #expect(
            try await hub.ask(.put, "/streams/a", texts[0], ["If-Match": "\"1\""]).status == .ok
        )
        #expect(try await states(hub) == ["idle", "idle", "idle", "idle", "idle"])
        return hub
    }

    @Test(arguments: breaking.indices) func aChangeThatBreaksOthersIsRefused(_ index: Int) async throws {
        let write = Self.breaking[index]
        let hub = try await hub()
        let before = try await hub.ask(.get, "/streams").text
        let headers = write.field.map { ["If-Match": $0] } ?? [:]
        let refused = try await hub.ask(write.method, write.path, write.body, headers)
        #expect(refused.status == .conflict)
        #expect(try refused.json["dependents"]?.array?.compactMap { $0["id"]?.string } == write.broken)
        for dependent in try refused.json["dependents"]?.array ?? [] {
            #expect(dependent["errors"]?.array?.isEmpty == false && dependent["name"]?.string != nil)
        }
        #expect(try refused.json["detail"]?.string?.contains("?dependents=keep") == true)
        #expect(try await hub.ask(.get, "/streams").text == before)
        let kept = try await hub.ask(write.method, write.path + "?dependents=keep", write.body, headers)
        #expect(kept.status.kind == .successful, "\(kept.text)")
        _ = try await states(hub)
        let blocked = try await hub.ask(.get, "/streams").json.array?.filter { $0["state"] == "blocked" }
        #expect(Set(blocked?.compactMap { $0["id"]?.string } ?? []).subtracting(["a"]) == Set(write.broken))
    }

    @Test func dependentsMustBeKeep() async throws {
        let hub = try await Hub(texts)
        let answer = try await hub.ask(.delete, "/streams/a?dependents=drop", nil, ["If-Match": "\"1\""])
        #expect(answer.status == .badRequest)
    }

    /// A document that is already broken is no reason to refuse a change.
    @Test func whatIsBrokenDoesNotHold() async throws {
        let hub = try await Hub(texts + [#"{"id": "f", "source": {"merge": [{"ref": "a"}, {"ref": "none"}]}}"#])
        let answer = try await hub.ask(.delete, "/streams/a", nil, ["If-Match": "\"1\""])
        #expect(try answer.json["dependents"]?.array?.compactMap { $0["id"]?.string } == ["b", "c", "d"])
    }

    /// The run goes on with the texts that it was started with, also after a restart.
    @Test(arguments: [true, false]) func aKeptDependentRunsOn(_ isDeleted: Bool) async throws {
        let store = MemoryStreamStore()
        let before = try await Hub(texts, on: store)
        for id in ["b", "c", "d"] { _ = try await before.ask(.post, "/streams/\(id)/start") }
        try await before.pass(2.5)
        if isDeleted {
            _ = try await before.ask(.delete, "/streams/a?dependents=keep", nil, ["If-Match": "\"1\""])
        } else {
            _ = try await before.ask(.put, "/streams/a?dependents=keep", unknown, ["If-Match": "\"1\""])
        }
        try await before.pass(2)
        #expect(before.state("b") == .running)
        await before.hub.shutDown()
        let hub = try await Hub(on: store, clock: before.clock)
        try await hub.pass(2.1)
        for id in ["b", "c", "d"] {
            #expect(hub.state(id) == .running)
            let outputs = try await store.outputs(of: id, run: nil, after: 0, limit: 100)
            #expect(outputs.map(\.sequence) == Array(1...6))
            #expect(outputs.last?.text == (id == "c" ? "5" : "15"))
        }
        #expect(try await hub.ask(.post, "/streams/e/start").status == .ok)
    }

    /// The states of a run whose document no longer compiles, and what each command does then: it continues the run, or is
    /// refused, and begins none.
    static let kept: [(state: String, shown: String, continues: Set<String>)] = [
        ("running", "running", ["resume", "step"]), ("paused", "paused", ["resume", "step"]),
        ("completed", "completed", []), ("failed", "failed", []), ("idle", "blocked", []),
    ]

    @Test(arguments: kept.indices, [true, false])
    func aKeptDependentBeginsNoRun(_ index: Int, _ isRestarted: Bool) async throws {
        let (state, shown, continues) = Self.kept[index]
        for command in ["start", "resume", "step"] {
            let store = MemoryStreamStore()
            var hub = try await Hub(
                [
                    Document.items("a", [1, 2, 0, 3]),
                    #"{"id": "b", "source": {"ref": "a"}, "operators": [{"map": {"expression": "EXPRESSION"}}]}"#
                        .replacing("EXPRESSION", with: state == "failed" ? "1 / x" : "x"),
                ],
                on: store
            )
            let started = try await hub.ask(.post, "/streams/b/start")
            #expect(started.status == .ok, "\(started.text)")
            try await hub.pass(["completed", "failed"].contains(state) ? 6 : 1.5)
            if state == "paused" { _ = try await hub.ask(.post, "/streams/b/pause") }
            if state == "idle" { _ = try await hub.ask(.post, "/streams/b/stop") }
            let deleted = try await hub.ask(.delete, "/streams/a?dependents=keep", nil, ["If-Match": "\"1\""])
            #expect(deleted.status == .noContent)
            if isRestarted {
                try await hub.settle()
                await hub.hub.shutDown()
                hub = try await Hub(on: store, clock: hub.clock)
            }
            #expect(try await states(hub) == [shown])
            #expect(try await hub.ask(.get, "/streams/b/run").json["state"]?.string == shown)
            let answer = try await hub.ask(.post, "/streams/b/\(command)")
            #expect((answer.status == .ok) == continues.contains(command), "\(state), \(command): \(answer.text)")
            if answer.status != .ok { #expect(answer.status == .unprocessableContent) }
            #expect(try await store.lastRun(of: "b") == 1, "\(state), \(command)")
            if answer.status != .ok { #expect(try await states(hub) == [shown]) }
        }
    }

    /// Workers run the partitions; the run of the hub itself keeps its state.
    @Test func thePlanOfAChangeOfThePartitionsListsWhatMoves() async throws {
        func text(_ count: Int) -> String {
            #"""
            {"id": "p", "partition": {"by": "x % 3", "count": \#(count)}, "source": {"interval": {"seconds": 1}},
             "operators": [{"id": "sums", "groupBy": {"key": "x % 3", "operators": [{"count": {}}]}}, {"count": {}}]}
            """#
        }
        let hub = try await Hub([text(4)])
        _ = try await hub.ask(.post, "/streams/p/start")
        try await hub.pass(1.5)
        let plan = try await hub.ask(.post, "/streams/p/plan", text(16)).json
        #expect(plan["division"]?["changes"] == [["parameter": "count", "old": 4, "new": 16]])
        let stages = try #require(plan["division"]?["stages"]?.array)
        #expect(stages.map { $0["id"] } == ["sums", "count-2"])
        #expect(stages.map { $0["isMoved"] } == [true, false])
        #expect(plan["steps"]?.array?.allSatisfy { $0["action"] == "kept" } == true)
        #expect(try await hub.ask(.post, "/streams/p/plan", text(4)).json["division"] == nil)
    }

    @Test func thePlanListsDependents() async throws {
        let hub = try await Hub(texts)
        _ = try await hub.ask(.post, "/streams/b/start")
        try await hub.pass(1.5)
        let slower = texts[0].replacing(#""seconds": 1"#, with: #""seconds": 2"#)
        let plan = try await hub.ask(.post, "/streams/a/plan", slower).json
        let dependents = try #require(plan["dependents"]?.array)
        #expect(dependents.map { $0["id"] } == ["b", "c", "d"])
        #expect(dependents.allSatisfy { $0["errors"] == [] && $0["keepsAll"] == true })
        let broken = try await hub.ask(.post, "/streams/a/plan", unknown).json["dependents"]?.array
        #expect(broken?.map { $0["id"] } == ["b", "c", "d"])
        #expect(broken?.allSatisfy { $0["errors"]?.array?.isEmpty == false && $0["steps"] == nil } == true)
        // A plan changes nothing.
        #expect(try await hub.ask(.get, "/streams/a").text == texts[0])
        #expect(try await states(hub) == ["idle", "running", "idle", "idle", "idle"])
    }

    /// Writers at the same time: in the end every document is blocked exactly if it can't run.
    @Test(arguments: 0..<10) func writersAtTheSameTimeAgree(_ seed: UInt64) async throws {
        let hub = try await Hub(texts)
        await withTaskGroup { group in
            for writer in 0..<8 {
                group.addTask {
                    var chance = SeededChance(seed * 100 + UInt64(writer))
                    for _ in 0..<10 {
                        let id = ["a", "b", "c"][chance.next(3)]
                        let target = ["a", "b", "c", "none", "Base"][chance.next(5)]
                        let text = chance.next(2) == 0 ? texts[0] : #"{"source": {"ref": "\#(target)"}}"#
                        let answer = try? await hub.ask(.get, "/streams/\(id)")
                        let document = text.replacing(#""id": "a", "#, with: "")
                        let headers = ["If-Match": answer?.etag ?? "\"1\""]
                        _ = try? await hub.ask(.put, "/streams/\(id)?dependents=keep", document, headers)
                    }
                }
            }
        }
        try await hub.settle()
        for head in try #require(try await hub.ask(.get, "/streams").json.array) {
            let id = try #require(head["id"]?.string)
            let errors = try await hub.ask(.post, "/check", try await hub.ask(.get, "/streams/\(id)").text).json
            #expect(head["errors"] ?? [] == errors["errors"], "\(id)")
        }
    }
}
#endif
