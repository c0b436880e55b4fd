import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Runs whose outputs are delivered.
@Suite(.timeLimit(.minutes(30))) struct DeliveriesTests {
    static func ticks(_ sinks: String) -> String {
        #"{"id": "a", "source": {"interval": {"seconds": 1}}, "sinks": [\#(sinks)]}"#
    }

    static let sink = #"{"id": "s", "outside": {"name": "r"}}"#

    @Test func outputsArriveInOrderOnce() async throws {
        let world = try await Delivering(Self.ticks(Self.sink))
        try await world.supervised.supervisor.start()
        await world.pass(30.5)
        #expect(world.receiver.values == (0..<30).map { .int($0) })
        let keys = world.receiver.keys
        let name = try await world.supervised.store.name(ofRun: 1, of: "a")
        #expect(keys == (1...30).map { "a/\(name)/s/\($0)" })
        let status = try await world.status()
        #expect(status.state == "idle" && status.delivered == 30 && status.waiting == 0)
        // The cursor is stored, and no request is left.
        let stored = try await world.supervised.store.sinks(of: "a")
        #expect(stored.map(\.cursor) == [OutputPlace(run: 1, sequence: 30)])
        #expect(try await world.supervised.store.deliveries(of: "a", sink: "s") == [])
    }

    @Test func aReceiverThatFailsGetsTheSameRequestAgain() async throws {
        let world = try await Delivering(Self.ticks(Self.sink))
        world.receiver.answer.withLock { $0 = SinkRetryError("503") }
        try await world.supervised.supervisor.start()
        await world.pass(20.5)
        let keys = world.receiver.keys
        #expect(keys.count > 1 && Set(keys).count == 1)
        let status = try await world.status()
        #expect(status.state == "waiting" && status.error == "503" && status.waiting == 20 && status.delivered == 0)
        world.receiver.answer.withLock { $0 = nil }
        await world.pass(400)
        let values = world.receiver.values
        #expect(Array(values.drop { $0 == .int(0) }.prefix(300)) == (1...300).map { .int($0) })
    }

    @Test func aFullOutboxHoldsTheStream() async throws {
        let text = #"{"id": "a", "source": {"range": {"from": 1, "count": 12000}}, "sinks": [\#(Self.sink)]}"#
        let world = try await Delivering(text)
        world.receiver.answer.withLock { $0 = SinkRetryError("503") }
        try await world.supervised.supervisor.start()
        await world.pass(5)
        #expect(try await world.outputs() == OutputLedger.largestCount)
        // Retention removes nothing that waits.
        try await world.supervised.store.trim(Retention(outputs: 10))
        world.receiver.answer.withLock { $0 = nil }
        await world.pass(400)
        var seen: Set<String> = []
        let once = world.receiver.received.withLock { $0.filter { seen.insert($0.key).inserted } }
        #expect(once.map { $0.request["value"] } == (1...12000).map { .int($0) })
    }

    @Test func aRefusalBlocksTheSinkAndNotTheStream() async throws {
        let world = try await Delivering(Self.ticks(Self.sink))
        world.receiver.answer.withLock { $0 = SinkRefusalError("404") }
        try await world.supervised.supervisor.start()
        await world.pass(10.5)
        #expect(world.receiver.values == [.int(0)])
        #expect(try await world.status().state == "blocked")
        #expect(try await world.outputs() == 10)
        #expect(try await world.deliveries.retry("s", of: "a") == true)
        await world.pass(0)
        #expect(world.receiver.values == [.int(0), .int(0)] && Set(world.receiver.keys).count == 1)
        world.receiver.answer.withLock { $0 = nil }
        #expect(try await world.deliveries.skip("s", of: "a") == true)
        await world.pass(0)
        #expect(Array(world.receiver.values.dropFirst(2)) == (1..<10).map { JSON.int($0) })
        // The dead letter is sent under a key of its own.
        let letter = try #require(
            try await world.supervised.store.deadLetters(of: "a", sink: nil, after: 0, limit: 9).first
        )
        #expect(letter.error == "404" && letter.items == "[0]")
        _ = try await world.deliveries.resend(letter.number, of: "a")
        await world.pass(0)
        #expect(world.receiver.keys.last == world.receiver.keys[0] + "/2")
        #expect(try await world.supervised.store.deadLetters(of: "a", sink: nil, after: 0, limit: 9) == [])
    }

    @Test func anEditThatRejectsTheBlockedOutputLeavesNoRequest() async throws {
        let world = try await Delivering(Self.ticks(Self.sink))
        world.receiver.answer.withLock { $0 = SinkRefusalError("404") }
        try await world.supervised.supervisor.start()
        await world.pass(3.5)
        #expect(try await world.supervised.store.deliveries(of: "a", sink: "s").first?.refusal == "404")
        world.receiver.answer.withLock { $0 = nil }
        let when = Self.sink.replacing(#""name""#, with: #""when": "x > 1", "name""#)
        try await world.edit(Self.ticks(when), revision: 2)
        await world.pass(1)
        #expect(world.receiver.values == [0, 2, 3])
        #expect(try await world.supervised.store.deliveries(of: "a", sink: "s") == [])
    }

    /// An edit of the stream alone neither repeats a request that was refused nor shortens the time that a receiver asks for.
    @Test(arguments: ["block", "retry"]) func anEditOfTheStreamLeavesItsSinksAlone(_ kind: String) async throws {
        let world = try await Delivering(Self.ticks(Self.sink))
        world.receiver.answer.withLock {
            $0 = kind == "block" ? SinkRefusalError("404") : SinkRetryError("busy", after: .seconds(100))
        }
        try await world.supervised.supervisor.start()
        await world.pass(3.5)
        #expect(world.receiver.values == [0])
        for revision in 2...4 {
            let operators = #""operators": [{"id": "m", "map": {"expression": "x + \#(revision)"}}], "sinks""#
            try await world.edit(Self.ticks(Self.sink).replacing(#""sinks""#, with: operators), revision: revision)
            await world.pass(1)
        }
        #expect(world.receiver.values == [0])
        #expect(try await world.status().state == (kind == "block" ? "blocked" : "waiting"))
    }

    /// The filters of a stack are around each attempt, and keep their state through an edit.
    @Test func aBreakerKeepsAttemptsFromTheReceiver() async throws {
        let breaker =
            #"{"breaker": {"opensOn": [{"consecutiveFailures": {"count": 2}}], "backoff": {"constant": {"seconds": 3600}}}}"#
        func sink(_ attempts: Int) -> String {
            let retry = #"{"retry": {"maxAttempts": \#(attempts), "backoff": {"constant": {"seconds": 1}}}}"#
            return #"{"id": "s", "outside": {"name": "r", "stack": {"filters": [\#(retry), \#(breaker)]}}}"#
        }
        let world = try await Delivering(Self.ticks(sink(4)))
        world.receiver.answer.withLock { $0 = SinkRetryError("503") }
        try await world.supervised.supervisor.start()
        for _ in 0..<8 { await world.pass(0.5) }
        #expect(world.receiver.values == [0, 0])
        #expect(try await world.status().error?.contains("the circuit breaker is open") == true)
        // The pause of the breaker outlasts the edit, as does the wait that it asks for.
        try await world.edit(Self.ticks(sink(3)), revision: 2)
        _ = try await world.deliveries.retry("s", of: "a")
        await world.pass(2)
        #expect(world.receiver.values == [0, 0])
        let none = #"{"id": "s", "outside": {"name": "r"}}"#
        world.receiver.answer.withLock { $0 = nil }
        try await world.edit(Self.ticks(none), revision: 3)
        _ = try await world.deliveries.retry("s", of: "a")
        await world.pass(1)
        #expect(world.receiver.values.prefix(5) == [0, 0, 0, 1, 2])
    }

    /// No rule counts an attempt that the host holds back, and no filter sees it.
    @Test func whatTheHostHoldsBackCountsAsNoAttempt() async throws {
        let breaker = #"{"breaker": {"opensOn": [{"consecutiveFailures": {"count": 1}}]}}"#
        let stack = #"{"filters": [{"retry": {"maxAttempts": 1}}, \#(breaker)]}"#
        let sink = #"{"id": "s", "outside": {"name": "r", "onFailure": "skip", "stack": \#(stack)}}"#
        let isHeld = Locked(true)
        let world = try await Delivering(Self.ticks(sink)) { () throws(SinkHoldError) in
            if isHeld.withLock({ $0 }) { throw SinkHoldError("out of touch", for: .milliseconds(200)) }
        }
        try await world.supervised.supervisor.start()
        await world.pass(10.5)
        #expect(world.receiver.values.isEmpty)
        let status = try await world.status()
        #expect(status.failed == 0 && status.waiting == 10 && status.error == "out of touch")
        isHeld.withLock { $0 = false }
        await world.pass(1)
        #expect(world.receiver.values == (0..<11).map { .int($0) })
    }

    /// A kill would repeat all that is delivered while no acknowledgment can be stored.
    @Test func noAttemptBeginsWhileNothingCanBeStored() async throws {
        let reads = SinkReads()
        let stream = try await Delivering(
            #"""
            {"source": {"interval": {"seconds": 1, "count": 2}},
             "sinks": [{"id": "s", "outside": {"name": "r", "concurrency": 2, "key": "x"}}]}
            """#,
            counting: reads
        )
        try await stream.supervised.supervisor.start()
        // Both requests are stored, and their first attempts fail.
        stream.receiver.answer.withLock { $0 = SinkRetryError("busy", after: .seconds(100)) }
        await stream.pass(1.5)
        stream.receiver.answer.withLock { $0 = SinkRetryError("busy", after: .seconds(50)) }
        await stream.pass(1.5)
        #expect(stream.receiver.values == [0, 1])
        stream.receiver.answer.withLock { $0 = nil }
        reads.isFailing.withLock { $0 = true }
        await stream.pass(55)
        #expect(stream.receiver.values == [0, 1, 1])
        // The other one is due, and waits for the acknowledgment of this one to be stored.
        await stream.pass(60)
        #expect(stream.receiver.values == [0, 1, 1])
        reads.isFailing.withLock { $0 = false }
        await stream.pass(2)
        #expect(stream.receiver.values == [0, 1, 1, 0])
        #expect(try await stream.status().waiting == 0)
        await stream.supervised.supervisor.stop()
    }

    @Test func aFailingSinkFailsItsRun() async throws {
        let text = Self.ticks(#"{"id": "s", "outside": {"name": "r", "onFailure": "fail"}}"#)
        let world = try await Delivering(text)
        world.receiver.answer.withLock { $0 = SinkRefusalError("404") }
        let errors = Locked<[String]>([])
        await world.deliveries.onFailure { _, error in errors.withLock { $0.append(error) } }
        try await world.supervised.supervisor.start()
        await world.pass(3.5)
        #expect(errors.withLock { $0 } == ["the sink s has failed: 404"])
    }

    @Test func aNewSinkBeginsWhereItSays() async throws {
        let world = try await Delivering(Self.ticks(""))
        try await world.supervised.supervisor.start()
        await world.pass(5.5)
        let start = #"{"id": "all", "outside": {"name": "r", "from": "start", "value": "'all ' + string(x)"}}"#
        let after = #"{"id": "some", "outside": {"name": "r", "from": "1-3", "value": "'some ' + string(x)"}}"#
        let now = #"{"id": "now", "outside": {"name": "r", "value": "'now ' + string(x)"}}"#
        try await world.edit(Self.ticks([start, after, now].joined(separator: ",")), revision: 2)
        await world.pass(2)
        func got(_ name: String) -> [JSON] {
            world.receiver.values.filter { $0.string?.hasPrefix(name) ?? false }
        }
        #expect(got("all") == (0..<7).map { .string("all \($0)") })
        #expect(got("some") == (3..<7).map { .string("some \($0)") })
        #expect(got("now") == (5..<7).map { .string("now \($0)") })
        // One that is edited keeps its cursor by its id; one that is dropped is forgotten.
        try await world.edit(Self.ticks(now.replacing("'now '", with: "'new '")), revision: 3)
        await world.pass(2)
        #expect(got("new") == (7..<9).map { .string("new \($0)") })
        #expect(try await world.supervised.store.sinks(of: "a").map(\.id) == ["now"])
    }

    /// The store refuses an edit that removes a sink, and the author takes it back before it is tried again.
    @Test func aSinkWhoseRemovalIsTakenBackDelivers() async throws {
        let sinks = ["a", "b"].map { #"{"id": "\#($0)", "outside": {"name": "r", "value": "'\#($0) ' + string(x)"}}"# }
        let reads = SinkReads()
        let world = try await Delivering(Self.ticks(sinks.joined(separator: ",")), counting: reads)
        try await world.supervised.supervisor.start()
        await world.pass(2.5)
        reads.refusals.withLock { $0 = 1 }
        try await world.edit(Self.ticks(sinks[1]), revision: 2)
        await world.pass(0)
        try await world.edit(Self.ticks(sinks.joined(separator: ",")), revision: 3)
        await world.pass(5)
        let values = world.receiver.values.compactMap(\.string)
        for id in ["a", "b"] {
            #expect(values.filter { $0.hasPrefix(id) } == (0..<7).map { "\(id) \($0)" })
        }
    }

    @Test func conditionsBatchesAndKeys() async throws {
        let even = #"{"id": "even", "outside": {"name": "r", "when": "x % 2 == 0", "value": "'even ' + string(x)"}}"#
        let batch = #"{"id": "batch", "outside": {"name": "r", "batch": {"count": 4, "seconds": 2.5}, "value": "x"}}"#
        let keys =
            #"{"id": "keys", "outside": {"name": "r", "concurrency": 3, "key": "x % 3", "value": "'key ' + string(x)"}}"#
        let world = try await Delivering(Self.ticks([even, batch, keys].joined(separator: ",")))
        try await world.supervised.supervisor.start()
        await world.pass(20.5)
        let values = world.receiver.values
        #expect(
            values.filter { $0.string?.hasPrefix("even") ?? false }
                == [0, 2, 4, 6, 8, 10, 12, 14, 16, 18].map { .string("even \($0)") }
        )
        let batches = values.filter { $0.array != nil }
        #expect(batches.first == [0, 1, 2])
        let all = batches.flatMap { $0.array ?? [] }
        #expect(all == (0..<all.count).map { .int(Int64($0)) } && all.count >= 18)
        #expect(Set(values.compactMap(\.string).filter { $0.hasPrefix("key") }) == Set((0..<20).map { "key \($0)" }))
    }

    @Test func anEndedRunIsDeliveredAndTheNextOneToo() async throws {
        let text = #"{"id": "a", "source": {"values": [1, 2]}, "sinks": [\#(Self.sink)]}"#
        let world = try await Delivering(text)
        try await world.supervised.supervisor.start()
        await world.pass(1)
        try await world.supervised.supervisor.start()
        await world.pass(1)
        #expect(world.receiver.values == [1, 2, 1, 2])
        let keys = world.receiver.keys
        #expect(Set(keys).count == 4 && keys[0].hasSuffix("/s/1") && keys[2].hasSuffix("/s/1"))
        try await world.supervised.supervisor.reset()
        await world.pass(1)
        try await world.supervised.supervisor.start()
        await world.pass(1)
        #expect(world.receiver.values == [1, 2, 1, 2, 1, 2] && Set(world.receiver.keys).count == 6)
    }

    @Test func anIdleSinkCostsNoTask() async throws {
        let text = #"{"id": "a", "source": {"values": [1]}, "sinks": [\#(Self.sink)]}"#
        let world = try await Delivering(text)
        try await world.supervised.supervisor.start()
        await world.pass(10)
        let count = world.supervised.time.taskCount
        await world.pass(100_000)
        #expect(world.supervised.time.taskCount == count && world.supervised.timer.next == nil)
    }

    /// A thousand sinks that have nothing to deliver have no task and no alarm, and one that has something begins alone.
    @Test func aThousandIdleSinksCostNoTask() async throws {
        let world = try await Delivering(Self.ticks(Self.sink))
        let (time, store) = (world.supervised.time, world.supervised.store)
        let ids = (1...1000).map { "idle-\($0)" }
        let text = Self.ticks(Self.sink)
        try await store.create(ids.map { StreamDraft(id: $0, name: nil, text: text) }, by: nil)
        let sinks = try CompiledDocument(StreamDocument(parsing: text), in: StreamLibrary()).sinks
        for id in ids { world.deliveries.use(sinks, of: id, after: .start) }
        await world.pass(1)
        #expect(await world.deliveries.figures.count == 1000)
        let count = time.taskCount
        await world.pass(100_000)
        #expect(time.taskCount == count && time.openCount == 0 && world.supervised.timer.next == nil)
        let output = StoredOutput(run: 1, sequence: 1, time: .zero, kind: .value, text: "7")
        try await store.commit(
            RunCommit(
                stream: "idle-7",
                run: 1,
                isNewRun: true,
                revision: 1,
                state: "running",
                savedAt: Date(timeIntervalSince1970: 0),
                outputs: [output]
            )
        )
        world.deliveries.publish(output.place, size: 1, of: "idle-7")
        world.deliveries.noteStored("idle-7")
        await world.pass(1)
        // The call, the pump, the attempt, and the store of its acknowledgment, each with what follows it.
        #expect(world.receiver.values == [7] && time.taskCount - count < 12)
        let after = time.taskCount
        await world.pass(100_000)
        #expect(time.taskCount == after && time.openCount == 0)
    }

    /// A process that is killed between an edit and that of its sink makes another request; an unchanged sink stays blocked.
    @Test(arguments: [false, true]) func aKillBetweenAnEditAndItsSinkLeavesNoOldRequest(_ isEdited: Bool) async throws {
        let world = try await Delivering(Self.ticks(Self.sink))
        world.receiver.answer.withLock { $0 = SinkRefusalError("404") }
        try await world.supervised.supervisor.start()
        await world.pass(2.5)
        #expect(try await world.status().state == "blocked")
        let name = #""name""#
        let edited = Self.ticks(Self.sink.replacing(name, with: #""value": "x + 100", "name""#))
        let next = try await world.killed(isEdited ? edited : Self.ticks(Self.sink))
        await next.pass(0)
        // The second output may have been attempted: its request stays.
        #expect(next.receiver.values == (isEdited ? [100, 1] : []))
        #expect(next.receiver.keys.first?.hasSuffix("/s/1/2") == (isEdited ? true : nil))
        #expect(try await next.status().state == (isEdited ? "idle" : "blocked"))
    }

    /// The process is killed at an instant of each delivery, and another one continues with what was stored.
    @Test func killsLoseNothing() async throws {
        let text = Self.ticks(Self.sink)
        var world = try await Delivering(text)
        try await world.supervised.supervisor.start()
        var all: [(key: String, request: JSON)] = []
        for kill in 0..<20 {
            world.receiver.answer.withLock { $0 = kill % 3 == 1 ? SinkRetryError("503") : nil }
            await world.pass(0.3 + Double(kill % 7) * 0.17)
            all += world.receiver.received.withLock { $0 }
            world = try await world.killed(text)
        }
        world.receiver.answer.withLock { $0 = nil }
        await world.pass(400)
        all += world.receiver.received.withLock { $0 }
        var seen: [String: JSON] = [:]
        var order: [Int] = []
        for (key, request) in all {
            if let known = seen[key] {
                #expect(known == request)
            } else if let value = request["value"]?.int {
                order.append(value)
            }
            seen[key] = request
        }
        #expect(order.count > 100 && order == Array(0..<order.count))
    }
}

extension Delivering {
    /// Returns what a process finds that is started after this one was killed.
    fileprivate func killed(_ text: String) async throws -> Delivering {
        let copy = MemoryStreamStore(copying: supervised.store)
        let next = try await Delivering(text, copy, at: supervised.timer.now)
        guard let stored = try await copy.run(of: "a") else {
            try await next.supervised.supervisor.start()
            return next
        }
        try await next.supervised.supervisor.resume(stored, journal: try await copy.journal(of: "a"))
        return next
    }
}
