#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct GroupFollowerTests {
    let hub = GroupStub()

    @Test func runsWhatTheGroupHas() async throws {
        hub.put("a", 3, Text.values("1, 2"), name: "Two")
        hub.put("r", 1, Text.values("9"), isReference: true)
        let told = try await follow(hub) { if $0.contains("completed") { throw Enough() } }
        #expect(
            told == [
                #"{"stream": "a", "revision": 3, "taken": "started", "name": "Two"}"#,
                #"{"stream": "a", "revision": 3, "time": 0, "value": 1}"#,
                #"{"stream": "a", "revision": 3, "time": 0, "value": 2}"#,
                #"{"stream": "a", "revision": 3, "time": 0, "completed": true}"#,
            ]
        )
        #expect(hub.departures == ["me"])
    }

    /// A source finds the stack that it names, as the hub has it now.
    @Test func sourcesFindTheirStacks() async throws {
        hub.put("s", 1, #"{"id": "s", "filters": [{"timeout": {"seconds": 1}}]}"#, isReference: true)
        hub.put("a", 1, #"{"id": "a", "source": {"poll": {"url": "http://a.example/", "seconds": 1, "stack": "s"}}}"#)
        var settings = GroupFollower<ContinuousClock>.Settings()
        settings.host.register("poll") { arguments, inlet in
            var last: String?
            while true {
                let stack = try inlet.stacks.stack(arguments["stack"]?.string ?? "", of: .source)?.attempt.description
                if stack != last { try await inlet.send(.string(stack ?? "none")) }
                last = stack
                await Task.yield()
                try Task.checkCancellation()
            }
        }
        let told = try await follow(hub, settings: settings) { [hub] line in
            if line.contains(#""value": "timeout""#) {
                hub.put("s", 2, #"{"id": "s", "filters": [{"rate": {"limit": 1}}]}"#, isReference: true)
            }
            if line.contains(#""value": "rate""#) { throw Enough() }
        }
        #expect(
            told.contains { $0.contains(#""value": "timeout""#) } && told.contains { $0.contains(#""value": "rate""#) }
        )
        #expect(!told.contains { $0.contains("none") || $0.contains("failed") })
    }

    @Test func editIsTakenBetweenTwoItems() async throws {
        hub.put("a", 1, Text.ticks(1))
        let told = try await follow(hub) { [hub] line in
            if line.contains(#""value": 2}"#) { hub.put("a", 2, Text.ticks(100)) }
            if line.contains(#""revision": 2, "time""#) { throw Enough() }
        }
        let edit = try #require(told.firstIndex { $0.contains("taken") && $0.contains(#""revision": 2"#) })
        #expect(
            told[edit]
                == #"{"stream": "a", "revision": 2, "taken": "edited", "plan": ["keep   source.interval","keep   operators[0].map (m): expression \"x * 1\" → \"x * 100\""]}"#
        )
        // Every line before is of the old revision, and every one after of the new; the ticks go on counting.
        #expect(told[..<edit].allSatisfy { $0.contains(#""revision": 1"#) })
        #expect(told[(edit + 1)...].allSatisfy { $0.contains(#""revision": 2"#) })
        let first = told.first { $0.contains(#""revision": 2, "time""#) }.flatMap {
            try? JSON(parsing: $0)["value"]?.int
        }
        #expect(first.map { $0 % 100 == 0 && $0 >= 100 } == true)
    }

    @Test func streamThatHasEndedBeginsAnewWithItsEdit() async throws {
        hub.put("a", 1, Text.values("1"))
        let told = try await follow(hub) { [hub] line in
            if line.contains(#""revision": 1"#), line.contains("completed") { hub.put("a", 2, Text.values("5")) }
            if line.contains(#""revision": 2"#), line.contains("completed") { throw Enough() }
        }
        #expect(
            told.suffix(3) == [
                #"{"stream": "a", "revision": 2, "taken": "started"}"#,
                #"{"stream": "a", "revision": 2, "time": 0, "value": 5}"#,
                #"{"stream": "a", "revision": 2, "time": 0, "completed": true}"#,
            ]
        )
    }

    @Test func revisionThatDoesNotCheckLeavesTheOldOneRunning() async throws {
        hub.put("a", 1, Text.ticks(1))
        var ticks = 0
        let told = try await follow(hub) { [hub] line in
            if line.contains(#""value": 0}"#) {
                hub.put("a", 2, #"{"source": {"interval": {"seconds": 1}}, "operators": [{"filtr": {}}]}"#)
            }
            if line.contains(#""taken": false"#) { ticks = 1 }
            if ticks > 0, line.contains("value") { ticks += 1 }
            guard ticks > 3 else { return }
            let report = hub.reports.last?["streams"]?[0]
            if report?["error"]?.string?.hasPrefix("revision 2: 1:57: operators[0].filtr: unknown operator") == true {
                #expect(report?["revision"] == 1 && report?["state"] == "running")
                throw Enough()
            }
        }
        let refusal = try #require(told.first { $0.contains(#""taken": false"#) })
        #expect(
            refusal.hasPrefix(#"{"stream": "a", "revision": 2, "taken": false, "errors": ["1:57: operators[0].filtr: "#)
        )
        #expect(told.last?.contains(#""revision": 1"#) == true)
    }

    @Test func documentThatNeverCheckedRunsWhenItDoes() async throws {
        hub.put("bad", 1, "{")
        hub.put("good", 1, Text.values("1"))
        let told = try await follow(hub) { [hub] line in
            if line.contains("good"), line.contains("completed") { hub.put("bad", 2, Text.values("7")) }
            if line.contains("bad"), line.contains("completed") { throw Enough() }
        }
        #expect(told.contains { $0.hasPrefix(#"{"stream": "bad", "revision": 1, "taken": false"#) })
        #expect(told.contains(#"{"stream": "bad", "revision": 2, "time": 0, "value": 7}"#))
    }

    @Test func editOfAReferenceReachesThoseWhoRefer() async throws {
        hub.put("a", 1, Text.refers(to: "r", 10))
        hub.put("b", 1, Text.refers(to: "Numbers", 100))
        hub.put("r", 1, Text.ticks(1, name: "Numbers"), isReference: true)
        var edited: Set<String> = []
        let told = try await follow(hub) { [hub] line in
            if line.contains(#""stream": "a""#), line.contains(#""value": 20}"#) {
                hub.put("r", 2, Text.ticks(7, name: "Numbers"), isReference: true)
            }
            if line.contains("edited") { edited.insert(line.contains(#""a""#) ? "a" : "b") }
            if edited.count == 2, line.contains("value") { throw Enough() }
        }
        let edit = try #require(told.first { $0.contains("edited") && $0.contains(#""a""#) })
        #expect(edit.contains(#""revision": 1"#) && edit.contains(#"\"x * 1\" → \"x * 7\""#))
        #expect(!told.contains { $0.contains(#""stream": "r""#) })
    }

    @Test func streamThatIsRemovedEndsAndMayComeAgain() async throws {
        hub.put("a", 1, Text.ticks(1))
        let told = try await follow(hub) { [hub] line in
            if line.contains(#""value": 1}"#), line.contains(#""revision": 1"#) {
                hub.remove("a")
                hub.put("a", 5, Text.values("5"))
            }
            if line.contains("completed") { throw Enough() }
        }
        let removal = try #require(told.firstIndex(of: #"{"stream": "a", "removed": true}"#))
        #expect(told[..<removal].allSatisfy { $0.contains(#""revision": 1"#) })
        #expect(
            told[(removal + 1)...] == [
                #"{"stream": "a", "revision": 5, "taken": "started"}"#,
                #"{"stream": "a", "revision": 5, "time": 0, "value": 5}"#,
                #"{"stream": "a", "revision": 5, "time": 0, "completed": true}"#,
            ]
        )
    }

    @Test func hubGoesAwayAndReturnsAndNothingIsLost() async throws {
        hub.put("a", 1, Text.ticks(1))
        var alone: Int?
        let told = try await follow(hub) { [hub] line in
            if line.contains(#""value": 1}"#) { hub.goAway() }
            if line.hasPrefix("away") { alone = 0 }
            if line.contains("value") { alone? += 1 }
            // It runs on without the hub; then edits that were made meanwhile arrive.
            if alone == 10 {
                hub.put("a", 2, Text.ticks(1_000))
                hub.comeBack()
            }
            if line.contains(#""revision": 2, "time""#) { throw Enough() }
        }
        #expect(told.contains("away: the connection was refused"))
        #expect(told.contains("back"))
        let values = told.compactMap { line -> Int? in
            guard let json = try? JSON(parsing: line), let value = json["value"]?.int else { return nil }
            return json["revision"] == 2 ? value / 1_000 : value
        }
        #expect(values == Array(0..<values.count))
        #expect(hub.connections.count == 2 && hub.connections[0] == "" && hub.connections[1] == "1")
    }

    @Test func hubThatHasForgottenTellsTheWhole() async throws {
        hub.put("a", 1, Text.ticks(1))
        hub.put("b", 1, Text.never)
        var (isAway, left) = (false, 2)
        let told = try await follow(hub) { [hub] line in
            if line.contains(#""value": 1}"#), !isAway {
                isAway = true
                hub.goAway()
                hub.remove("b")
                hub.put("c", 1, Text.values("3"))
                hub.forgetLog()
                hub.comeBack()
            }
            if line.contains("completed") || line.contains("removed") { left -= 1 }
            if left == 0 { throw Enough() }
        }
        #expect(told.contains(#"{"stream": "b", "removed": true}"#))
        #expect(told.contains(#"{"stream": "c", "revision": 1, "time": 0, "value": 3}"#))
        #expect(!told.contains { $0.contains("edited") })
        #expect(told.filter { $0.contains("taken") && $0.contains(#""a""#) }.count == 1)
    }

    @Test func streamThatFailsTakesNoOtherAlong() async throws {
        hub.put("bad", 1, #"{"source": {"fail": "broken"}}"#)
        hub.put("good", 1, Text.ticks(1))
        var settings = GroupFollower<ContinuousClock>.Settings()
        settings.restart = .never
        let told = try await follow(hub, settings: settings) { [hub] line in
            if line.contains(#""value": 9}"#) { hub.put("bad", 2, Text.values("1")) }
            if line.contains("bad"), line.contains("completed") { throw Enough() }
        }
        #expect(told.filter { $0.contains("bad") && $0.contains("error") }.count == 1)
        #expect(told.contains(#"{"stream": "bad", "revision": 1, "time": 0, "error": "broken"}"#))
    }

    @Test func cancellingEndsAllAtOnce() async throws {
        for index in 0..<50 { hub.put("s\(index)", 1, Text.ticks(1)) }
        let follower = GroupFollower(HubClient(hub), member: "me", clock: .continuous)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            try await follower.run { notice in
                if case .event = notice { begin.yield() }
            }
        }
        for await _ in begun { break }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(hub.departures == ["me"])
    }

    @Test(arguments: [HTTPResponse.Status.unauthorized, .notFound])
    func hubThatSaysNoEndsIt(_ status: HTTPResponse.Status) async throws {
        hub.answer(status)
        let error = await #expect(throws: HTTPError.self) { try await follow(hub) { _ in } }
        #expect(error?.response?.status == status)
        #expect(error?.summary == "GET http://hub.example/groups/all/events")
    }

    @Test func hostileEventsAreToldAndPassedOver() async throws {
        var settings = GroupFollower<ContinuousClock>.Settings()
        settings.maximumDocuments = 2
        settings.maximumDocumentBytes = 200
        hub.put("a", 1, Text.never)
        let told = try await follow(hub, settings: settings) { [hub] line in
            guard line.contains("started"), line.contains(#""a""#) else {
                if line.contains("completed") { throw Enough() }
                return
            }
            hub.tell("put", ["id": 7])
            hub.tell("set", "no")
            hub.tell("news", [])
            hub.put("long", 1, Text.values(String(repeating: "1, ", count: 100) + "1"))
            hub.put("more", 1, Text.never)
            hub.put("long", 2, Text.values("2"))
        }
        #expect(told.contains { $0.hasPrefix("problem: the hub's event put cannot be read: ") })
        #expect(told.contains { $0.hasPrefix("problem: the hub's event set cannot be read: ") })
        #expect(told.contains("problem: the group has more than 2 documents: more does not run here"))
        #expect(
            told.contains(
                #"{"stream": "long", "revision": 1, "taken": false, "errors": ["1:1: the document is longer than 200 bytes"]}"#
            )
        )
        #expect(told.contains(#"{"stream": "long", "revision": 2, "time": 0, "value": 2}"#))
    }

    @Test func slowReaderHoldsTheStreamsUp() async throws {
        hub.put("a", 1, #"{"source": {"range": {"from": 0, "count": 100000}}}"#)
        var settings = GroupFollower<ContinuousClock>.Settings()
        settings.pendingLimit = 4
        var count = 0
        try await follow(hub, settings: settings) { line in
            if line.contains("value") {
                #expect(line.contains("\"value\": \(count)}"))
                count += 1
            }
            if count == 1_000 { throw Enough() }
        }
        #expect(count == 1_000)
    }

    /// Outputs that nobody stores take no room.
    @Test func withoutAStoreNothingIsKept() async throws {
        hub.put("a", 1, #"{"source": {"range": {"from": 0, "count": 50000}}}"#)
        var count = 0
        try await follow(hub) { line in
            if line.contains("value") { count += 1 }
            if line.contains("completed") { throw Enough() }
        }
        #expect(count == 50_000)
    }

    @Test func outsideWorldIsTheHostsAlone() async throws {
        hub.put("a", 1, #"{"source": {"lines": "/etc/passwd"}}"#)
        var settings = GroupFollower<ContinuousClock>.Settings()
        settings.restart = .never
        let told = try await follow(hub, settings: settings) { if $0.contains("error") { throw Enough() } }
        #expect(told.last?.contains(#""error": "no source is registered as \"lines\" here"#) == true)
    }
}
#endif
