import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceStreams

/// Each policy against a source that floods: ten items at once for a buffer of two, and nobody takes any meanwhile.
@Suite struct StreamBufferTests {
    /// Returns the items that a reader receives if it begins to read when the source has sent all, or cannot continue.
    func flood(_ buffer: String) async throws -> (seen: [String], sent: Int, drops: DropCounter) {
        let (progress, report) = AsyncStream.makeStream(of: Int.self)
        var host = StreamHost()
        host.register("flood") { _, inlet in
            defer { report.finish() }
            for number in 0..<10 {
                try await inlet.send(.int(Int64(number)))
                report.yield(number + 1)
            }
        }
        let text = #"{"source": {"merge": [{"outside": {"name": "flood"\#(buffer)}}, {"values": [100]}]}}"#
        var events = try StreamDocument(parsing: text).events(host: host, clock: TestClock()).makeAsyncIterator()
        // The first event comes from inside: the source is started, and floods.
        var seen = [SluiceStreamsTests.text([try #require(try await events.next())])[0]]
        var sent = 0
        for await count in progress {
            sent = count
            if count == 2 && buffer.contains("block") { break }
        }
        while let event = try await events.next() { seen += SluiceStreamsTests.text([event]) }
        return (seen, sent, host.drops)
    }

    @Test func blockLosesNothing() async throws {
        let result = try await flood(#", "buffer": {"size": 2, "whenFull": "block"}"#)
        #expect(result.seen == ["0:100"] + (0..<10).map { "0:\($0)" } + ["0|"])
        #expect(result.drops.total == 0)
    }

    @Test func dropOldestKeepsTheLast() async throws {
        let result = try await flood(#", "buffer": {"size": 2, "whenFull": "dropOldest"}"#)
        #expect(result.seen == ["0:100", "0:8", "0:9", "0|"])
        #expect(result.sent == 10)
        #expect(result.drops.bySource == ["flood": 8])
        #expect(result.drops.total == 8)
    }

    @Test func dropNewestKeepsTheFirst() async throws {
        let result = try await flood(#", "buffer": {"size": 2, "whenFull": "dropNewest"}"#)
        #expect(result.seen == ["0:100", "0:0", "0:1", "0|"])
        #expect(result.drops.bySource == ["flood": 8])
    }

    @Test func failFailsAfterWhatWaits() async throws {
        let result = try await flood(#", "buffer": {"size": 2, "whenFull": "fail"}"#)
        #expect(
            result.seen == [
                "0:100", "0:0", "0:1",
                "0# the buffer of the source flood is full, and the stream does not keep up: "
                    + #"give it a larger "size", or let "whenFull" be one that drops"#,
            ]
        )
        #expect(result.sent == 2)
        #expect(result.drops.total == 0)
    }

    @Test(arguments: [
        (#"{"size": 0}"#, "size: expected a whole number from 1 to 1000000, found 0"),
        (#"{"size": 1.5}"#, "size: expected a whole number from 1 to 1000000, found 1.5"),
        (#"{"size": 1000001}"#, "size: expected a whole number from 1 to 1000000, found 1000001"),
        (
            #"{"whenFull": "drop"}"#,
            #"whenFull: expected one of block, dropOldest, dropNewest, fail, found "drop""#
        ),
        (#"{"whenFull": 1}"#, "whenFull: expected one of block, dropOldest, dropNewest, fail, found 1"),
        (#"{"sise": 1}"#, #"unknown key "sise""#),
    ])
    func whatIsNoBufferIsAnError(_ buffer: String, _ message: String) {
        #expect {
            try StreamDocument(parsing: #"{"source": {"lines": {"path": "a", "buffer": \#(buffer)}}}"#)
        } throws: {
            let error = ($0 as? JSONErrors)?.errors.first
            return error?.message == message && error?.path.description == "source.lines.buffer"
        }
    }

    /// A source that cannot be slowed down: with a buffer that blocks the stream fails, with another it goes on.
    @Test func pushNeedsABufferThatDoesNotBlock() async throws {
        let blocking = SourceBuffer<Int>(StreamBuffer(size: 1), name: "ticker", drops: DropCounter()) {}
        #expect(blocking.push(1))
        #expect(!blocking.push(2))
        #expect(!blocking.push(3))
        guard case .value(1, _) = blocking.take()?.step, case .end(.failed(let error)) = blocking.take()?.step else {
            Issue.record("expected the item, then the failure")
            return
        }
        #expect(
            "\(error)" == "the buffer of the source ticker is full, and it cannot be slowed down: "
                + #"give it a larger "size", or let "whenFull" be one that drops"#
        )
        let dropping = SourceBuffer<Int>(StreamBuffer(size: 1, whenFull: .dropOldest), name: "", drops: DropCounter()) {
        }
        #expect(dropping.push(1) && dropping.push(2))
        dropping.close()
        #expect(!dropping.push(3))
    }

    /// A sender that waits for room is resumed when the stream has ended, or the task is canceled.
    @Test func waitingForRoomEnds() async throws {
        let buffer = SourceBuffer<Int>(StreamBuffer(size: 1), name: "a", drops: DropCounter()) {}
        try await buffer.send(1)
        let canceled = Task { try await buffer.send(2) }
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        let closed = Task { try await buffer.send(3) }
        buffer.close()
        await #expect(throws: CancellationError.self) { try await closed.value }
    }

    /// The run is notified once of waiting items, and again when it has taken some and more are waiting.
    @Test func announcesOnce() {
        var buffer = SourceBufferState<Int>(StreamBuffer(size: 3))
        var isTold = [buffer.announce()]
        _ = buffer.offer(1)
        isTold.append(buffer.announce())
        _ = buffer.offer(2)
        isTold.append(buffer.announce())
        _ = buffer.take()
        isTold.append(buffer.announce())
        _ = buffer.take()
        isTold.append(buffer.announce())
        buffer.finish(.completed)
        buffer.finish(.failed(CancellationError()))
        isTold.append(buffer.announce())
        #expect(isTold == [false, true, false, true, false, true])
        guard case .end(.completed) = buffer.take()?.step else {
            Issue.record("the first end counts")
            return
        }
        let late = buffer.offer(4)
        #expect(late == .closed)
    }
}
