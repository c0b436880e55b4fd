import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The dead letters of deliveries.
@Suite(.timeLimit(.minutes(30))) struct DeadLetterTests {
    static let sink = #"{"id": "s", "outside": {"name": "r", "onFailure": "skip"}}"#
    static let values = #"{"id": "a", "source": {"values": [1, 2, 3, 4]}, "sinks": [\#(sink)]}"#
    static let quiet = #"{"id": "a", "source": {"interval": {"seconds": 1000000}}, "sinks": [\#(sink)]}"#

    /// Returns a store with a stream and dead letters of its sink.
    static func store(_ text: String, letters: ClosedRange<Int>, isResending: (Int) -> Bool = { _ in false })
        async throws
        -> MemoryStreamStore
    {
        let store = MemoryStreamStore()
        try await store.create([StreamDraft(id: "a", name: nil, text: text)], by: nil)
        let letters = letters.map { number in
            StoredDeadLetter(
                stream: "a",
                sink: "s",
                place: OutputPlace(run: 0, sequence: number),
                items: "[\(number)]",
                key: "k\(number)",
                request: #"{"value": \#(number)}"#,
                error: "404",
                time: Date(timeIntervalSince1970: 0),
                isResending: isResending(number)
            )
        }
        try await store.commit([SinkCommit(sink: StoredSink(stream: "a", id: "s", cursor: .start), letters: letters)])
        return store
    }

    private func until(_ holds: () async throws -> Bool) async throws {
        while try await !holds() { await Task.yield() }
    }

    @Test func aLetterIsSentOnceAtATimeAndSixteenTogether() async throws {
        let world = try await Delivering(Self.quiet, Self.store(Self.quiet, letters: 1...40))
        try await world.supervised.supervisor.start()
        await world.pass(0)
        world.receiver.isHolding.withLock { $0 = true }
        let numbers = try await world.supervised.store.deadLetters(of: "a", sink: nil, after: 0, limit: 99).map(
            \.number
        )
        let deliveries = world.deliveries
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in numbers + numbers {
                group.addTask { try await deliveries.resend(number, of: "a")?.isResending ?? false }
            }
            for try await isResending in group { #expect(isResending) }
        }
        // An edit opens the sinks again, and finds the letters in the store.
        try await world.edit(Self.quiet, revision: 2)
        try await until { world.receiver.open.withLock { $0.count } >= 16 }
        for _ in 0..<1000 { await Task.yield() }
        #expect(world.receiver.open.withLock { $0.count } == 16)
        world.receiver.isHolding.withLock { $0 = false }
        await world.pass(0)
        #expect(world.receiver.open.withLock { $0.most } <= 16)
        let keys = world.receiver.keys
        #expect(keys.count == 40 && Set(keys).count == 40)
        #expect(try await world.supervised.store.deadLetterCounts(of: "a") == [:])
    }

    @Test func aLetterThatIsDroppedMeanwhileIsNotSent() async throws {
        let world = try await Delivering(Self.quiet, Self.store(Self.quiet, letters: 1...20))
        try await world.supervised.supervisor.start()
        await world.pass(0)
        world.receiver.isHolding.withLock { $0 = true }
        let numbers = try await world.supervised.store.deadLetters(of: "a", sink: nil, after: 0, limit: 99).map(
            \.number
        )
        for number in numbers { _ = try await world.deliveries.resend(number, of: "a") }
        try await until { world.receiver.open.withLock { $0.count } == 16 }
        for number in numbers.suffix(4) { try await world.deliveries.drop(number, of: "a") }
        world.receiver.isHolding.withLock { $0 = false }
        await world.pass(0)
        #expect(world.receiver.keys.count == 16)
    }

    @Test func aStartReadsTheLettersThatAreSentAgainAlone() async throws {
        let reads = SinkReads()
        let store = try await Self.store(Self.quiet, letters: 1...9000) { $0 % 3000 == 0 }
        let world = try await Delivering(Self.quiet, store, counting: reads)
        try await world.supervised.supervisor.start()
        await world.pass(0)
        #expect(world.receiver.keys.sorted() == ["k3000", "k6000", "k9000"])
        // One that was delivered meanwhile may be looked for again.
        #expect(reads.letters.withLock { $0 } < 20)
        #expect(try await store.deadLetterCounts(of: "a") == ["s": 8997])
    }

    @Test func aLetterWhoseSinkWasDroppedIsKept() async throws {
        let store = try await Self.store(Self.quiet, letters: 1...2) { _ in true }
        let text = Self.quiet.replacing(#""id": "s""#, with: #""id": "t""#)
        let world = try await Delivering(text, store)
        try await world.supervised.supervisor.start()
        await world.pass(0)
        let letters = try await store.deadLetters(of: "a", sink: nil, after: 0, limit: 9)
        #expect(world.receiver.keys == [] && letters.map(\.isResending) == [false, false])
    }

    @Test func aFullStreamBlocksUntilALetterIsDropped() async throws {
        let store = try await Self.store(Self.values, letters: 1...9999)
        let world = try await Delivering(Self.values, store)
        world.receiver.answer.withLock { $0 = SinkRefusalError("404") }
        try await world.supervised.supervisor.start()
        await world.pass(1)
        func count() async throws -> Int { try await store.deadLetterCounts(of: "a")["s"] ?? 0 }
        #expect(try await count() == Outbox.largestLetters)
        let status = try await world.status()
        #expect(status.state == "blocked" && status.error == "\(DeadLettersFullError()): 404")
        #expect(world.receiver.values == [1, 2])
        await #expect(throws: DeadLettersFullError.self) { try await world.deliveries.skip("s", of: "a") }
        // Each letter that is dropped makes room for one.
        let first = try #require(
            try await store.deadLetters(of: "a", sink: nil, after: 0, limit: 2).map(\.number).first
        )
        try await world.deliveries.drop(first, of: "a")
        await world.pass(1)
        #expect(try await count() == Outbox.largestLetters)
        #expect(world.receiver.values == [1, 2, 3])
        // A letter that is delivered does, too.
        world.receiver.answer.withLock { $0 = nil }
        _ = try await world.deliveries.resend(first + 1, of: "a")
        await world.pass(1)
        #expect(world.receiver.values.suffix(2) == [2, 4])
        #expect(try await world.status().state == "idle")
        #expect(try await count() == Outbox.largestLetters)
    }
}
