import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

/// Runs in live time that are saved and edited while they are read.
@Suite(.timeLimit(.minutes(1))) struct LiveRunTests {
    private let clock = TestClock()

    private func interval(_ seconds: Double, _ operators: String = "") throws -> StreamDocument {
        try StreamDocument(
            parsing: #"{"source": {"interval": {"seconds": \#(seconds)}}, "operators": [\#(operators)]}"#
        )
    }

    /// The next event, when the clock has moved by so much.
    private func next(_ run: LiveRun<TestClock>, after duration: Duration) async throws -> String? {
        let clock = clock
        let event = Task { try await run.next() }
        await clock.sleepers(1)
        clock.advance(by: duration)
        return try await event.value?.line
    }

    @Test func anEditComesBetweenTwoItems() async throws {
        let run = try LiveRun(interval(1, #"{"id": "sum", "scan": {"expression": "acc + x"}}"#), clock: clock)
        #expect(try await next(run, after: .seconds(1)) == #"{"time": 1, "value": 0}"#)
        #expect(try await next(run, after: .seconds(1)) == #"{"time": 2, "value": 1}"#)
        let plan = try await run.edit(to: interval(3, #"{"id": "sum", "scan": {"expression": "acc + x"}}"#))
        #expect(plan.keepsAll)
        #expect(try await next(run, after: .seconds(1)) == #"{"time": 3, "value": 3}"#)
        #expect(try await next(run, after: .seconds(3)) == #"{"time": 6, "value": 6}"#)
    }

    @Test func whoWaitsIsWokenByAnEdit() async throws {
        let run = try LiveRun(StreamDocument(parsing: #"{"source": {"never": {}}}"#), clock: clock)
        let event = Task { try await run.next() }
        while await run.checkpoint().text.contains(#""hasBegun":false"#) { await Task.yield() }
        try await run.edit(to: StreamDocument(parsing: #"{"source": {"values": [5]}}"#))
        #expect(try await event.value?.value == 5)
        #expect(try await run.next()?.isLast == true)
        #expect(try await run.next() == nil)
    }

    @Test func whatDoesNotCheckLeavesTheOldOneRunning() async throws {
        let run = try LiveRun(interval(1), clock: clock)
        let broken = StreamDocument(pipeline: StreamPipeline(source: .reference("nobody")))
        await #expect(throws: JSONErrors.self) { try await run.edit(to: broken) }
        #expect(try await next(run, after: .seconds(1)) == #"{"time": 1, "value": 0}"#)
    }

    @Test func goesOnFromACheckpoint() async throws {
        let document = try interval(2)
        let run = try LiveRun(document, clock: clock)
        #expect(try await next(run, after: .seconds(2)) == #"{"time": 2, "value": 0}"#)
        let saved = await run.checkpoint()
        let other = try LiveRun(document, from: StreamCheckpoint(parsing: saved.text), clock: clock)
        #expect(try await next(other, after: .seconds(2)) == #"{"time": 4, "value": 1}"#)
    }

    @Test func whatCameDueWhileItWasAwayComesAtOnce() async throws {
        let document = try interval(2)
        let run = try LiveRun(document, clock: clock)
        _ = try await next(run, after: .seconds(2))
        let saved = await run.checkpoint()
        let other = try LiveRun(document, from: saved, away: .seconds(5), clock: clock)
        #expect(try await other.next()?.line == #"{"time": 4, "value": 1}"#)
        #expect(try await other.next()?.line == #"{"time": 6, "value": 2}"#)
        #expect(try await next(other, after: .seconds(1)) == #"{"time": 8, "value": 3}"#)
    }

    @Test func aSourceFromOutsideIsReadOnThroughAnEdit() async throws {
        let (items, feed) = AsyncStream.makeStream(of: JSON.self)
        let opened = Locked(0)
        var host = StreamHost()
        host.register("numbers") { _ in
            opened.withLock { $0 += 1 }
            return items
        }
        let document = { (operators: String) in
            try StreamDocument(parsing: #"{"source": {"outside": "numbers"}, "operators": [\#(operators)]}"#)
        }
        let run = try LiveRun(document(""), host: host, clock: clock)
        feed.yield(1)
        #expect(try await run.next()?.value == 1)
        feed.yield(2)
        try await run.edit(to: document(#"{"map": {"expression": "x * 10"}}"#))
        #expect(try await run.next()?.value == 20)
        feed.finish()
        #expect(try await run.next()?.isLast == true)
        #expect(opened.withLock { $0 } == 1)
    }

    @Test func linesAreReadOnWhereTheyWere() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID().uuidString)")
        try Data("a\nb\nc\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var host = StreamHost()
        host.registerLines()
        let source: JSON = ["source": ["lines": .string(file.path)]]
        let document = try StreamDocument(parsing: source.text())
        let run = try LiveRun(document, host: host, clock: clock)
        #expect(try await run.next()?.value == "a")
        #expect(try await run.next()?.value == "b")
        let saved = await run.checkpoint()
        await run.close()
        #expect(saved.offsets == ["source": 2])
        #expect(saved.outputs == 2)
        let other = try LiveRun(document, from: StreamCheckpoint(parsing: saved.text), host: host, clock: clock)
        #expect(try await other.next()?.value == "c")
        #expect(try await other.next()?.isLast == true)
    }

    @Test func cancelEndsTheWaitAndNotTheRun() async throws {
        let run = try LiveRun(interval(1), clock: clock)
        let clock = clock
        let event = Task { try await run.next() }
        await clock.sleepers(1)
        event.cancel()
        await #expect(throws: CancellationError.self) { try await event.value }
        #expect(try await next(run, after: .seconds(1)) == #"{"time": 1, "value": 0}"#)
    }

    @Test func closeEndsIt() async throws {
        let run = try LiveRun(interval(1), clock: clock)
        let clock = clock
        let event = Task { try await run.next() }
        await clock.sleepers(1)
        await run.close()
        #expect(try await event.value == nil)
    }
}
