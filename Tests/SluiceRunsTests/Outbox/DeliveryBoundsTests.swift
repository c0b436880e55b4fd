import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The bounds of what sinks hold, and of what they cost.
@Suite(.timeLimit(.minutes(30))) struct DeliveryBoundsTests {
    @Test func theRequestsThatWaitAreBoundedInSum() async throws {
        let pad = String(repeating: "a", count: 256 << 10)
        let sink = #"{"id": "s", "outside": {"name": "r", "arguments": {"pad": "\#(pad)"}}}"#
        let text = #"{"id": "a", "source": {"range": {"from": 1, "count": 100}}, "sinks": [\#(sink)]}"#
        let world = try await Delivering(text)
        world.receiver.answer.withLock { $0 = SinkRetryError("503") }
        try await world.supervised.supervisor.start()
        await world.pass(2)
        let stored = try await world.supervised.store.deliveries(of: "a", sink: "s")
        let size = stored.reduce(0) { $0 + $1.request.utf8.count }
        #expect(size <= Outbox.largestRequests + 2 * pad.utf8.count && stored.count > 10)
        world.receiver.answer.withLock { $0 = nil }
        await world.pass(400)
        #expect(world.receiver.values.suffix(99) == (2...100).map { .int($0) })
    }

    /// A write takes the requests of many deliveries, not of the one that has taken the place of another.
    @Test(arguments: ["", #", "concurrency": 4, "key": "x""#]) func deliveriesShareWrites(_ rules: String) async throws
    {
        let sink = #"{"id": "s", "outside": {"name": "r"\#(rules)}}"#
        let text = #"{"id": "a", "source": {"range": {"from": 1, "count": 4000}}, "sinks": [\#(sink)]}"#
        let reads = SinkReads()
        let world = try await Delivering(text, counting: reads)
        try await world.supervised.supervisor.start()
        await world.pass(100)
        #expect(world.receiver.values.count == 4000)
        let commits = reads.commits.withLock { $0 }
        #expect((1...4000 / 16).contains(commits), "\(commits) writes")
    }

    @Test func aThousandIdleSinksCostNoTask() async throws {
        let sinks = (0..<1000).map { #"{"id": "s\#($0)", "outside": {"name": "r"}}"# }.joined(separator: ",")
        let text = #"{"id": "a", "source": {"values": [1]}, "sinks": [\#(sinks)]}"#
        let world = try await Delivering(text)
        try await world.supervised.supervisor.start()
        await world.pass(10)
        #expect(world.receiver.values.count == 1000)
        // All tasks have ended, and none begins: no attempt, no wait, and no alarm is left.
        let time = world.supervised.time
        let begun = time.taskCount
        #expect(time.openCount == 0 && world.supervised.timer.next == nil)
        #expect(await world.deliveries.flights.isEmpty)
        await world.pass(100_000)
        #expect(time.taskCount == begun)
    }

    /// Stores a stream whose run has put out the numbers from 1 on.
    static func store(_ count: Int, of id: String, _ text: String, in store: MemoryStreamStore) async throws {
        let outputs = (1...count).map {
            StoredOutput(run: 1, sequence: $0, time: StreamTime(nanoseconds: 0), kind: .value, text: "\($0)")
        }
        try await store.create([StreamDraft(id: id, name: nil, text: text)], by: nil)
        try await store.commit(
            RunCommit(
                stream: id,
                run: 1,
                isNewRun: true,
                revision: 1,
                state: "running",
                savedAt: Date(timeIntervalSince1970: 0),
                outputs: outputs
            )
        )
    }

    /// The attempts whose requests are stored go on while the store is busy with other outputs.
    @Test(arguments: ["", #", "concurrency": 4, "key": "x""#]) func aSlowStoreHoldsNoReadyAttempt(
        _ rules: String
    ) async throws {
        let (store, receiver, reads) = (MemoryStreamStore(), Receiver(), SinkReads())
        let sink = #"{"id": "s", "outside": {"name": "r"\#(rules)}}"#
        let text = #"{"id": "a", "source": {"values": [1]}, "sinks": [\#(sink)]}"#
        let count = 3000
        try await Self.store(count, of: "a", text, in: store)
        var host = StreamHost()
        host.registerSink("r", receiver.deliver)
        let deliveries = Deliveries(store: CountingSinkStore(store, reads), host: host, timer: ManualTimer())
        receiver.isHolding.withLock { $0 = true }
        var program = try Supervised.program(text, revision: 1)
        _ = try program.takeCompiled()
        deliveries.use(program.sinks, of: "a", after: .start)
        while receiver.values.isEmpty { await Task.yield() }
        let ready = try await store.deliveries(of: "a", sink: "s").count
        #expect(ready >= 100 && ready < count)
        reads.isHolding.withLock { $0 = true }
        receiver.isHolding.withLock { $0 = false }
        for _ in 0..<1_000_000 {
            if receiver.values.count >= ready { break }
            await Task.yield()
        }
        #expect(receiver.values.count == ready)
        reads.isHolding.withLock { $0 = false }
        while receiver.values.count < count { await Task.yield() }
        #expect(Set(receiver.keys).count == count && receiver.values.count == count)
        await deliveries.close()
    }

    /// A stream whose expressions are expensive, and another one: while an expression of the first one holds its turn, the
    /// second one is delivered.
    @Test func expensiveExpressionsDelayNoOtherStream() async throws {
        let turns = Locked<[String]>([])
        let (store, receiver, timer) = (MemoryStreamStore(), Receiver(), ManualTimer())
        let list = "[" + (0..<30).map { "\($0)" }.joined(separator: ",") + "]"
        let condition = "\(list).map(a, \(list).map(b, \(list).filter(c, a + b + c == x).size())).size() == 30"
        let sinks = [
            "slow": #"{"id": "s", "outside": {"name": "r", "value": "'slow ' + string(x)", "when": "\#(condition)"}}"#,
            "quiet": #"{"id": "q", "outside": {"name": "r", "value": "'quiet ' + string(x)", "when": "x > 0"}}"#,
        ]
        func text(_ id: String) -> String {
            #"{"id": "\#(id)", "source": {"values": [1]}, "sinks": [\#(sinks[id] ?? "")]}"#
        }
        for id in ["slow", "quiet"] {
            try await Self.store(id == "slow" ? 6 : 20, of: id, text(id), in: store)
        }
        var host = StreamHost()
        host.registerSink("r", receiver.deliver)
        let isQuietDone = { @Sendable in receiver.values.contains { $0 == "quiet 20" } }
        let onTurn: @Sendable (String) async -> Void = { stream in
            turns.withLock { $0.append(stream) }
            // The third turn of the expensive stream does not end before the other stream is delivered.
            guard stream == "slow", turns.withLock({ $0.count { $0 == "slow" } }) == 3 else { return }
            while !isQuietDone() { await Task.yield() }
        }
        let deliveries = Deliveries(store: store, host: host, timer: timer, onTurn: onTurn)
        for id in ["slow", "quiet"] {
            var program = try Supervised.program(text(id), revision: 1)
            _ = try program.takeCompiled()
            deliveries.use(program.sinks, of: id, after: .start)
        }
        while !receiver.values.contains("slow 6") { await Task.yield() }
        let order = turns.withLock { $0 }
        // Each evaluation is a turn: 6 conditions, and 6 requests.
        #expect(order.count { $0 == "slow" } >= 12)
        let values = receiver.values.compactMap(\.string)
        #expect(values.filter { $0.hasPrefix("slow") } == (1...6).map { "slow \($0)" })
        #expect(values.filter { $0.hasPrefix("quiet") } == (1...20).map { "quiet \($0)" })
        await deliveries.close()
    }
}
