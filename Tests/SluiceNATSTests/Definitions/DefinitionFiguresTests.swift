#if NATS
import SluiceRuns
import SluiceTestSupport
import Testing

@testable import SluiceNATS

/// Prints what `bin/test cluster` shows, and asserts no time.
@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(5))) struct DefinitionFiguresTests {
    @Test func editsAndTheirWayToAnotherHub() async throws {
        let connected = try await Connected()
        let first = try await NATSDefinitionStore.open(on: connected.connection)
        let second = try await NATSDefinitionStore.open(on: try await connected.another())
        let text = String(repeating: "x", count: 2000)
        try await first.create([StreamDraft(id: "a", name: nil, text: text)], by: nil)
        var changes = try await second.changes().makeAsyncIterator()
        while try await changes.next() != .current {}
        let clock = ContinuousClock()
        var ways: [Duration] = []
        var edits: [Duration] = []
        for revision in 1...200 {
            let start = clock.now
            let draft = StreamDraft(id: "a", name: nil, text: "\(revision)\(text)")
            let stored = try await first.replace(with: draft, ifRevision: revision, by: nil)
            edits.append(start.duration(to: clock.now))
            #expect(try await changes.next() == .stored(stored))
            ways.append(start.duration(to: clock.now))
        }
        print("cluster: an edit of 2 KB: \(Self.figures(edits)); until another hub has it: \(Self.figures(ways))")
        try await first.create((0..<500).map { StreamDraft(id: "s\($0)", name: nil, text: text) }, by: nil)
        let start = clock.now
        #expect(try await second.list().count == 501)
        print("cluster: reading 501 documents of 2 KB: \(start.duration(to: clock.now).milliseconds) ms")
    }

    private static func figures(_ durations: [Duration]) -> String {
        let sorted = durations.sorted()
        return "\(sorted[sorted.count / 2].milliseconds) ms in the median, "
            + "\(sorted[sorted.count * 99 / 100].milliseconds) ms for 99 %"
    }

    @Test func publishingAndPulling() async throws {
        let connected = try await Connected()
        let (count, bytes) = (5000, [UInt8](repeating: 1, count: 128))
        let consumer = try await connected.connection.perform { connection in
            try connection.createStream(NATSStreamSettings(name: "ITEMS", subjects: ["items"]))
            return try connection.consumer(NATSConsumerSettings(stream: "ITEMS", name: "c"))
        }
        let clock = ContinuousClock()
        let start = clock.now
        try await connected.connection.perform { connection in
            for number in 0..<count { _ = try connection.publish(bytes, to: "items", id: "\(number)") }
        }
        let published = clock.now
        var received: [UInt64] = []
        while received.count < count {
            let messages = try await consumer.fetch(256)
            received += messages.map(\.sequence)
            try await connected.connection.perform { _ in for message in messages { try message.acknowledgeSoon() } }
        }
        #expect(received == (1...UInt64(count)).map { $0 })
        let (put, got) = (start.duration(to: published), published.duration(to: clock.now))
        print(
            "cluster: \(count) items of 128 bytes: \(Self.rate(count, put)) published in a second, one after the other; "
                + "\(Self.rate(count, got)) pulled and acknowledged; 0 lost, 0 duplicated"
        )
    }

    private static func rate(_ count: Int, _ duration: Duration) -> Int {
        Int(Double(count) / (Double(duration.components.attoseconds) / 1e18 + Double(duration.components.seconds)))
    }
}

extension Duration {
    /// The milliseconds, with two decimals.
    fileprivate var milliseconds: Double {
        let all = Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
        return (all * 100).rounded() / 100
    }
}
#endif
