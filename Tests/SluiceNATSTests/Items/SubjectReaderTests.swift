#if NATS
import Sluice
import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(5))) struct SubjectReaderTests {
    private let division = StreamPartition(by: "x.user", count: 4)

    private func document() throws -> StreamDocument {
        try StreamDocument(
            parsing: #"""
                {"partition": {"by": "x.user", "count": 4},
                 "source": {"outside": {"name": "subject", "arguments": {"subject": "in"}}}}
                """#
        )
    }

    private func reader(_ connected: Connected) throws -> SubjectReader {
        let document = try document()
        let arguments = try SubjectSource.Arguments(["subject": "in"])
        let keys = try PartitionKeys(division, in: document)
        return SubjectReader(connected.connection, clock: ContinuousClock(), arguments, keys)
    }

    /// Publishes items of 23 users, whose numbers count from one.
    private func publish(_ numbers: ClosedRange<Int>, _ connection: NATSConnection) async throws {
        try await connection.perform { connection in
            for number in numbers {
                let text = #"{"n": \#(number), "user": \#(number % 23)}"#
                while true {
                    do {
                        _ = try connection.publish(Array(text.utf8), to: "in", id: "\(number)")
                        break
                    } catch let error as NATSError where error.isTemporary { connection.waitUntilConnected() }
                }
            }
        }
    }

    private func create(_ connected: Connected) async throws {
        try await connected.connection.perform { try $0.createStream(NATSStreamSettings(name: "IN", subjects: ["in"])) }
    }

    /// Reads until a partition has had everything up to a sequence; returns its items, and whether it fell behind.
    private func read(
        _ reader: SubjectReader,
        _ partition: Int,
        upTo end: UInt64
    ) async throws -> (items: [Int], isBehind: Bool) {
        let number = await reader.attach(after: nil)
        defer { Task { await reader.detach(number) } }
        var (items, place): ([Int], SubjectPlace?) = ([], nil)
        while (place?.sequence ?? 0) < end {
            switch try await reader.next(for: number, after: place) {
            case .block(let block):
                let first = place?.sequence ?? 0
                items += block.items(of: partition).filter { $0.sequence > first }.compactMap { $0.item["n"]?.int }
                place = SubjectPlace(created: block.created, sequence: block.end)
            case .behind: return (items, true)
            case .nothing, .noStream: break
            }
        }
        return (items, false)
    }

    @Test func eachItemIsOfOnePartition() async throws {
        let connected = try await Connected()
        try await create(connected)
        try await publish(1...2000, connected.connection)
        let reader = try reader(connected)
        let parts = try await withThrowingTaskGroup(of: (Int, [Int]).self) { group in
            for partition in 0..<4 {
                group.addTask { (partition, try await read(reader, partition, upTo: 2000).items) }
            }
            return try await group.reduce(into: [Int: [Int]]()) { $0[$1.0] = $1.1 }
        }
        let keys = try PartitionKeys(division, in: try document())
        for partition in 0..<4 {
            let expected = (1...2000).filter { keys.partition(of: ["user": .int(Int64($0 % 23))]) == partition }
            #expect(parts[partition] == expected)
        }
        await reader.stop()
    }

    /// One that has taken nothing is left behind by the others, which wait for it a while.
    @Test func aSlowPartitionHoldsUpNoOtherForLong() async throws {
        let connected = try await Connected()
        try await create(connected)
        try await publish(1...9000, connected.connection)
        let reader = try reader(connected)
        let slow = await reader.attach(after: nil)
        let fast = try await read(reader, 0, upTo: 9000)
        #expect(!fast.isBehind)
        guard case .behind = try await reader.next(for: slow, after: nil) else {
            Issue.record("32 blocks of 256 messages don't hold 9,000")
            return
        }
        #expect(await !reader.keeps(after: nil))
        await reader.stop()
    }

    @Test func aCanceledPartitionWaitsNoLonger() async throws {
        let connected = try await Connected()
        try await create(connected)
        let reader = try reader(connected)
        let number = await reader.attach(after: nil)
        let waiting = Task { try await reader.next(for: number, after: nil) }
        try await publish(1...1, connected.connection)
        guard case .block(let block) = try await waiting.value else {
            Issue.record("the first message is no answer")
            return
        }
        let place = SubjectPlace(created: block.created, sequence: block.end)
        let canceled = Task { try await reader.next(for: number, after: place) }
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        await reader.stop()
    }

    /// Runs of partitions at random paces, over a reader that they share, while the server is killed: each has all its items,
    /// once, and in order.
    @Test(arguments: [1, 2]) func partitionsReadEverythingOnce(_ seed: UInt64) async throws {
        let connected = try await Connected()
        try await create(connected)
        try await publish(1...10_000, connected.connection)
        let (document, readers) = (try document(), SubjectReaders())
        let keys = try PartitionKeys(division, in: document)
        let server = try await withThrowingTaskGroup(of: Void.self) { group in
            for partition in 0..<4 {
                let part = SubjectPart(
                    stream: "s",
                    document: document,
                    division: division,
                    parameters: nil,
                    readers: readers,
                    partition: partition,
                    subject: nil,
                    start: nil,
                    end: nil,
                    onHalt: nil,
                    hasReadAll: { false },
                    isHeldAtEnd: { false },
                    onLag: { _ in }
                )
                var host = StreamHost()
                let source = SubjectSource(connected.connection, clock: ContinuousClock(), part: part)
                host.register("subject", hasPositions: true, source.feed)
                let expected = (1...12_000).filter { keys.partition(of: ["user": .int(Int64($0 % 23))]) == partition }
                group.addTask { [host] in
                    var random = Seeded(seed: seed * 4 + UInt64(partition))
                    var items: [Int] = []
                    for try await event in try document.events(host: host) {
                        if case .failed(let error) = event.kind { throw error }
                        if let number = event.value?["n"]?.int { items.append(number) }
                        if items.count == expected.count { break }
                        for _ in 0..<Int.random(in: 0..<(partition == 3 ? 200 : 5), using: &random) {
                            await Task.yield()
                        }
                    }
                    #expect(items == expected, "partition \(partition)")
                }
            }
            let server = try connected.server.restarted()
            try await connected.connection.perform { $0.waitUntilConnected() }
            try await publish(10_001...12_000, connected.connection)
            try await group.waitForAll()
            return server
        }
        server.kill()
    }
}
#endif
