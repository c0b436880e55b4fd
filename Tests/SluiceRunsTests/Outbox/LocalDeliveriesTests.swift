import Foundation
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams
import Testing

/// The deliveries of a stream that a program runs by itself.
@Suite(.timeLimit(.minutes(20))) struct LocalDeliveriesTests {
    private final class Desk: Sendable {
        let received = Locked([String]())
        let keys = Locked(Set<String>())

        /// Registers the receiver; `answer` says what it does with the request of a number, from 0.
        func host(_ answer: @escaping @Sendable (Int) throws -> Void = { _ in }) -> StreamHost {
            var host = StreamHost()
            host.registerSink("desk") { [self] delivery in
                let count = received.withLock { $0.count }
                try answer(count)
                received.withLock { $0.append(delivery.request["value"]?.description ?? "-") }
                keys.withLock { _ = $0.insert(delivery.key) }
            }
            return host
        }
    }

    private func document(_ source: String, _ rules: String = "") throws -> StreamDocument {
        try StreamDocument(
            parsing:
                #"{"source": \#(source), "sinks": [{"id": "to", "outside": {"name": "desk", "value": "x"\#(rules)}}]}"#
        )
    }

    private func run(_ document: StreamDocument, _ host: StreamHost) async throws -> [LocalDeliveries.Summary] {
        let deliveries = try LocalDeliveries(of: document, host: host)
        for try await event in try document.flow().events(host: host) { try await deliveries.publish(event) }
        return try await deliveries.finish()
    }

    @Test func everyValueIsDeliveredOnceInOrder() async throws {
        let desk = Desk()
        let count = 5_000
        let summaries = try await run(document(#"{"range": {"from": 0, "count": \#(count)}}"#), desk.host())
        #expect(summaries.map(\.delivered) == [count] && summaries.map(\.sink) == ["to"])
        #expect(desk.received.withLock { $0 } == (0..<count).map { "\($0)" })
        #expect(desk.keys.withLock { $0.count } == count)
    }

    @Test func refusedOutputBlocks() async throws {
        let desk = Desk()
        let host = desk.host { if $0 == 2 { throw SinkRefusalError("no such thing") } }
        let error = await #expect(throws: LocalDeliveries.BlockedError.self) {
            try await run(document(#"{"values": [1, 2, 3, 4]}"#), host)
        }
        #expect(error?.sink == "to" && error?.waiting == 2 && error?.reason.contains("no such thing") == true)
        #expect(desk.received.withLock { $0 } == ["1", "2"])
    }

    @Test func skippedOutputsAreCounted() async throws {
        let desk = Desk()
        let wasRefused = Locked(false)
        let host = desk.host { count in
            if count == 1,
                !wasRefused.withLock({
                    let was = $0; $0 = true; return was
                })
            {
                throw SinkRefusalError("no")
            }
        }
        let summaries = try await run(document(#"{"values": [1, 2, 3]}"#, #", "onFailure": "skip""#), host)
        #expect(summaries.map(\.failed) == [1] && desk.received.withLock { $0 } == ["1", "3"])
    }

    @Test func aSinkMayFailItsStream() async throws {
        let host = Desk().host { _ in throw SinkRefusalError("no") }
        await #expect(throws: StreamError.self) {
            try await run(document(#"{"values": [1, 2, 3]}"#, #", "onFailure": "fail""#), host)
        }
    }

    /// The last batch is delivered when its time has come, though it is not full.
    @Test func batchIsDeliveredAtTheEnd() async throws {
        let desk = Desk()
        _ = try await run(
            document(#"{"values": [1, 2, 3]}"#, #", "batch": {"count": 2, "seconds": 0.05}"#),
            desk.host()
        )
        // Where the machine pauses between two values, a batch has one.
        let batches = try desk.received.withLock { $0 }.map { try JSON(parsing: $0).array ?? [] }
        #expect(batches.flatMap { $0 } == [1, 2, 3] && batches.allSatisfy { (1...2).contains($0.count) })
    }

    @Test func documentWithoutSinksDeliversNothing() async throws {
        let document = try StreamDocument(parsing: #"{"source": {"values": [1]}}"#)
        let deliveries = try LocalDeliveries(of: document, host: StreamHost())
        #expect(!deliveries.hasSinks)
        try await deliveries.publish(StreamEvent(time: .zero, kind: .value(1)))
        #expect(try await deliveries.finish().isEmpty)
    }

    @Test func cancellationEndsTheWait() async throws {
        let host = Desk().host { _ in throw SinkRetryError("later") }
        let document = try document(#"{"values": [1]}"#)
        let work = Task { try await run(document, host) }
        try await ContinuousClock().sleep(for: .milliseconds(50))
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }
}
