#if HTTP
import Foundation
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceClient

/// Followers that were ended, and continue from their store.
@Suite(.timeLimit(.minutes(30))) struct StoredFollowerTests {
    let hub = GroupStub()
    let store = MemoryStreamStore()

    /// An output, as it is compared.
    private struct Output: Equatable {
        let stream: String
        let revision: Int
        let run: Int
        let sequence: Int
        let value: JSON?
    }

    private func settings() -> GroupFollower<ContinuousClock>.Settings {
        var settings = GroupFollower<ContinuousClock>.Settings()
        settings.store = store
        return settings
    }

    /// Follows until the body has seen enough; returns the outputs and the other notices until then.
    @discardableResult
    private func follow(
        _ settings: GroupFollower<ContinuousClock>.Settings? = nil,
        group: String = "all",
        _ body: @escaping @Sendable (String) throws -> Void
    ) async throws -> (outputs: [Output], told: [String]) {
        let seen = Locked((outputs: [Output](), told: [String](), isEnough: false))
        let follower = GroupFollower(
            HubClient(hub),
            group: group,
            settings: settings ?? self.settings(),
            clock: .continuous
        )
        let work = Task {
            try await follower.run { notice in
                seen.withLock { seen in
                    if case .event(let stream, let place, let event) = notice {
                        seen.outputs.append(
                            Output(
                                stream: stream,
                                revision: place.revision,
                                run: place.run,
                                sequence: place.sequence,
                                value: event.value
                            )
                        )
                    } else {
                        seen.told.append(notice.told)
                    }
                }
                // What was seen was taken: the follower ends without an error of the call.
                do { try body(notice.told) } catch is Enough {
                    seen.withLock { $0.isEnough = true }
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        do { try await work.value } catch is CancellationError where seen.withLock({ $0.isEnough }) {}
        return seen.withLock { ($0.outputs, $0.told) }
    }

    /// Checks that a stream that counts from 0 has given each number once, or again with the same sequence.
    private func check(_ outputs: [Output], _ factor: [Int: Int] = [:]) {
        var seen: [Int: Int] = [:]
        for output in outputs {
            let value = (output.value?.int ?? -1) / (factor[output.revision] ?? 1)
            #expect(output.run == 1 && value == output.sequence - 1)
            seen[output.sequence] = value
        }
        #expect(seen.keys.sorted() == Array(1...max(1, seen.count)))
    }

    @Test func aFollowerResumesItsRuns() async throws {
        hub.put("a", 1, Text.ticks(1))
        var outputs: [Output] = []
        for round in 0..<4 {
            let top = outputs.map(\.sequence).max() ?? 0
            let (new, told) = try await follow { line in
                if let value = try? JSON(parsing: line)["value"]?.int, value >= top + 10 { throw Enough() }
            }
            outputs += new
            let how = round == 0 ? "started" : "resumed"
            #expect(told == [#"{"stream": "a", "revision": 1, "taken": "\#(how)"}"#])
        }
        check(outputs)
        #expect(Set(outputs.map(\.sequence)).count > 40)
    }

    /// An output whose call throws was not taken: it comes again, also where it was the last one.
    @Test func anOutputWhoseCallThrowsComesAgain() async throws {
        hub.put("a", 1, Text.values("1, 2, 3"))
        for round in 0..<2 {
            var taken: [Int] = []
            let follower = GroupFollower(HubClient(hub), group: "all", settings: settings(), clock: .continuous)
            await #expect(throws: Enough.self) {
                try await follower.run { notice in
                    guard case .event(_, let place, let event) = notice, event.value != nil else { return }
                    if place.sequence == 3, round == 0 { throw Enough() }
                    taken.append(place.sequence)
                    if place.sequence == 3 { throw Enough() }
                }
            }
            #expect(taken.contains(3) == (round == 1), "\(taken)")
        }
    }

    @Test func aFollowerIsTheSameMember() async throws {
        hub.put("a", 1, Text.ticks(1))
        for _ in 0..<3 { try await follow { if $0.contains("value") { throw Enough() } } }
        #expect(hub.departures.count == 3)
        #expect(Set(hub.departures).count == 1)
        try await follow(.init()) { if $0.contains("value") { throw Enough() } }
        #expect(Set(hub.departures).count == 2)
    }

    @Test func editsOfTheTimeAwayAreApplied() async throws {
        hub.put("a", 1, Text.refers(to: "r"))
        hub.put("r", 1, Text.ticks(1), isReference: true)
        var outputs = try await follow { if $0.contains(#""value": 5}"#) { throw Enough() } }.outputs
        hub.put("a", 2, Text.refers(to: "r", 10))
        hub.put("r", 2, Text.ticks(10), isReference: true)
        let values = Locked(0)
        let (new, told) = try await follow { line in
            if line.contains(#""revision": 2, "time""#) { values.withLock { $0 += 1 } }
            if values.withLock({ $0 }) == 5 { throw Enough() }
        }
        outputs += new
        #expect(told.count == 2)
        #expect(told.first == #"{"stream": "a", "revision": 1, "taken": "resumed"}"#)
        #expect(told.last?.contains(#""revision": 2, "taken": "edited", "plan": ["keep "#) == true)
        check(outputs, [2: 100])
    }

    @Test func aRevisionThatIsInvalidLeavesTheStoredOneRunning() async throws {
        hub.put("a", 1, Text.ticks(1))
        var outputs = try await follow { if $0.contains(#""value": 5}"#) { throw Enough() } }.outputs
        hub.put("a", 2, #"{"source": {"ref": "nothing"}}"#)
        let isRefused = Locked(false)
        let (new, told) = try await follow { line in
            if line.contains(#""taken": false"#) { isRefused.withLock { $0 = true } }
            if isRefused.withLock({ $0 }), line.contains("value") { throw Enough() }
        }
        outputs += new
        check(outputs)
        #expect(told.first == #"{"stream": "a", "revision": 1, "taken": "resumed"}"#)
        #expect(told.last?.hasPrefix(#"{"stream": "a", "revision": 2, "taken": false"#) == true)
    }

    @Test func aHubThatCountsRevisionsAgainIsFollowed() async throws {
        hub.put("a", 7, Text.ticks(1))
        try await follow { if $0.contains(#""value": 5}"#) { throw Enough() } }
        hub.put("a", 1, Text.ticks(100))
        let (_, told) = try await follow { if $0.contains(#""revision": 1, "time""#) { throw Enough() } }
        #expect(told.contains { $0.contains(#""revision": 1, "taken": "edited""#) })
    }

    /// A run and a sequence name one output, also of a stream that was taken from the group and has come back, in this
    /// process or in the next one.
    @Test(arguments: [true, false]) func aStreamThatComesBackHasNewRuns(_ isRestarted: Bool) async throws {
        let state = Locked((round: 1, isLeaving: false))
        var outputs: [Output] = []
        hub.put("a", 1, Text.ticks(1))
        while state.withLock({ $0.round }) <= 3 {
            outputs += try await follow { [hub] line in
                try state.withLock { state in
                    if line.contains("removed") {
                        state = (state.round + 1, false)
                        hub.put("a", state.round, Text.ticks(state.round))
                        if isRestarted { throw Enough() }
                    } else if line.contains("value"), !state.isLeaving {
                        state.isLeaving = true
                        if state.round < 3 { return hub.remove("a") }
                        state.round += 1
                        throw Enough()
                    }
                }
            }.outputs
        }
        #expect(Set(outputs.map(\.run)) == [1, 2, 3])
        for run in 1...3 {
            let sequences = outputs.filter { $0.run == run }.map(\.sequence)
            #expect(sequences == Array(1...max(1, sequences.count)))
        }
    }

    /// The store of the hub was replaced: a revision comes again with another text, and is stored with the run.
    @Test func aRevisionWithAnotherTextIsStored() async throws {
        hub.put("a", 1, Text.refers(to: "r"))
        hub.put("r", 1, Text.ticks(1), isReference: true)
        let isEdited = Locked(false)
        try await follow { [hub] line in
            if !isEdited.withLock({ $0 }), line.contains("value") {
                isEdited.withLock { $0 = true }
                hub.put("r", 1, Text.ticks(-1), isReference: true)
            }
            if let value = try? JSON(parsing: line)["value"]?.int, value < 0 { throw Enough() }
        }
        let documents = try await store.run(of: "a")?.documents ?? []
        #expect(documents.map(\.text) == [Text.refers(to: "r"), Text.ticks(-1)])
    }

    @Test func aStreamThatWasTakenAwayIsForgotten() async throws {
        hub.put("a", 1, Text.ticks(1))
        hub.put("b", 1, Text.ticks(1))
        try await follow { if $0.contains(#""stream": "b""#), $0.contains(#""value": 5}"#) { throw Enough() } }
        #expect(try await store.runs().map(\.stream) == ["a", "b"])
        hub.remove("b")
        try await follow { if $0.contains("value") { throw Enough() } }
        #expect(try await store.runs().map(\.stream) == ["a"])
        #expect(try await store.list().map(\.id) == ["a"])
    }

    @Test func aStreamThatHasEndedIsNotRepeated() async throws {
        hub.put("a", 1, Text.values("1"))
        try await follow { if $0.contains("completed") { throw Enough() } }
        hub.put("b", 1, Text.values("2"))
        let (outputs, told) = try await follow { if $0.contains("completed") { throw Enough() } }
        #expect(outputs.map(\.stream) == ["b", "b"])
        #expect(told == [#"{"stream": "b", "revision": 1, "taken": "started"}"#])
        // Its edit begins the next run.
        hub.put("a", 2, Text.values("3"))
        let next = try await follow { if $0.contains("completed") { throw Enough() } }.outputs
        #expect(next.map(\.run) == [2, 2] && next.first?.value == 3)
    }

    @Test func aStreamThatFailsResumesFromItsCheckpoint() async throws {
        var settings = settings()
        settings.restart = .onFailure(from: .milliseconds(1), to: .milliseconds(1))
        let openings = Locked(0)
        settings.host.register("sensor") { _, inlet in
            let opening = openings.withLock { count in
                count += 1
                return count
            }
            for number in 1...3 { try await inlet.send(.int(Int64(number))) }
            if opening == 1 { throw StreamError(message: "the sensor is unplugged") }
            for await _ in AsyncStream(Never.self, { _ in }) {}
        }
        hub.put(
            "a",
            1,
            #"{"source": {"outside": "sensor"}, "operators": [{"scan": {"expression": "acc + x", "initialValue": 0}}]}"#
        )
        let (outputs, told) = try await follow(settings) { if $0.contains(#""value": 12}"#) { throw Enough() } }
        #expect(told.count == 2)
        #expect(told.last == #"{"stream": "a", "revision": 1, "taken": "restarted"}"#)
        let values = outputs.filter { $0.value != nil }
        #expect(Set(values.map { [$0.sequence, $0.value?.int ?? 0] }).count == 6)
        #expect(values.last.map { $0.run == 1 && $0.sequence == 6 } == true)
    }

    @Test func theRunsResumeWithoutTheHub() async throws {
        hub.put("a", 3, Text.refers(to: "r", 10), name: "Tens")
        hub.put("r", 1, Text.ticks(1), isReference: true)
        try await follow { if $0.contains("value") { throw Enough() } }
        hub.goAway()
        let isAway = Locked(true)
        let (_, told) = try await follow { [hub] line in
            if isAway.withLock({ $0 }), line.contains(#""value": 100}"#) {
                isAway.withLock { $0 = false }
                hub.put("a", 4, Text.refers(to: "r", 1_000), name: "Tens")
                hub.comeBack()
            }
            if line.contains(#""revision": 4, "time""#) { throw Enough() }
        }
        #expect(
            told.prefix(3) == [
                "away: the connection was refused", "restored: 2",
                #"{"stream": "a", "revision": 3, "taken": "resumed"}"#,
            ]
        )
        #expect(told.count == 5 && told.contains("back"))
        #expect(told.last?.contains(#""revision": 4, "taken": "edited""#) == true)
    }

    @Test func theStoreOfAnotherGroupIsRefused() async throws {
        hub.put("a", 1, Text.values("1"))
        try await follow { if $0.contains("completed") { throw Enough() } }
        let error = await #expect(throws: GroupFollowerError.self) { try await follow(group: "g") { _ in } }
        #expect(
            error?.description
                == #"the store belongs to a follower of the group "all" of http://hub.example: choose another store"#
        )
        #expect(try await store.list().count == 1)
    }

    @Test(arguments: [true, false]) func theStoreOfAHubIsRefused(_ hasGroup: Bool) async throws {
        if hasGroup {
            try await store.createGroup("kitchen")
        } else {
            try await store.create([StreamDraft(id: "a", name: nil, text: "{}")], by: nil)
        }
        let error = await #expect(throws: GroupFollowerError.self) { try await follow { _ in } }
        #expect(error?.kind == .foreignStore)
    }

    /// The checkpoints that earlier versions wrote, in `Tests/Golden`. Where an event is missing, the follower waits until
    /// the time limit cancels it, and the test fails.
    @Test(.timeLimit(.minutes(20))) func checkpointsOfEveryVersionResume() async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Golden")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix("checkpoints-") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        var goldens: [String: [String]] = [:]
        for line in try files.flatMap({ try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }) {
            let golden = try JSON(parsing: String(line))
            let (id, prefix) = ("s\(goldens.count)", "r\(goldens.count)-")
            let then = golden["then"]?.array?.compactMap(\.string) ?? []
            goldens[id] = then
            let documents = [try #require(golden["document"])] + (golden["others"]?.array ?? [])
            let stored = documents.enumerated().map { place, document in
                StoredStream(
                    id: place == 0 ? id : prefix + "\(place)",
                    revision: 1,
                    name: document["name"]?.string,
                    text: document.description
                )
            }
            try await store.create([StreamDraft(id: id, name: nil, text: stored[0].text)], by: nil)
            try await store.commit(
                RunCommit(
                    stream: id,
                    run: 1,
                    isNewRun: true,
                    revision: 1,
                    state: "running",
                    savedAt: .distantFuture,
                    checkpoint: try #require(golden["checkpoint"]).description,
                    outputs: (0..<(golden["checkpoint"]?["outputs"]?.int ?? 0)).map {
                        StoredOutput(run: 1, sequence: $0 + 1, time: .zero, kind: .value, text: "0")
                    },
                    documents: stored
                )
            )
        }
        let expected = goldens
        try await store.createGroup(#"{"hub": "http://hub.example", "group": "all", "member": "me"}"#)
        hub.goAway()
        var settings = GroupFollower<TestClock>.Settings()
        (settings.store, settings.restart) = (store, .never)
        let clock = TestClock()
        let time = movingTime(clock)
        defer { time.cancel() }
        let seen = Locked((events: [String: [String]](), problems: [String](), open: expected.values.joined().count))
        let follower = GroupFollower(HubClient(hub), settings: settings, clock: clock)
        await #expect(throws: Enough.self) {
            try await follower.run { notice in
                let isOver = seen.withLock { seen in
                    if case .problem(let text) = notice { seen.problems.append(text) }
                    guard case .event(let stream, _, let event) = notice else { return false }
                    // A stream without end goes on after what is known.
                    guard seen.events[stream, default: []].count < expected[stream]?.count ?? 0 else { return false }
                    seen.events[stream, default: []].append(event.line)
                    seen.open -= 1
                    return seen.open == 0
                }
                if isOver { throw Enough() }
            }
        }
        let (events, problems, _) = seen.withLock { $0 }
        #expect(problems == [])
        for (id, lines) in expected { #expect(events[id] ?? [] == lines, "\(id)") }
        #expect(expected.count > 200)
    }
}
#endif
