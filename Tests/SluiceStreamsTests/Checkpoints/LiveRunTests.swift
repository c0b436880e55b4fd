import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

/// Runs in live time that are saved and edited while they are read.
@Suite(.timeLimit(.minutes(30))) struct LiveRunTests {
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
        // The timer that was armed at 2 moves to 5, and the periods count from there.
        #expect(try await next(run, after: .seconds(3)) == #"{"time": 5, "value": 3}"#)
        #expect(try await next(run, after: .seconds(3)) == #"{"time": 8, "value": 6}"#)
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

    @Test func whatTheOldDocumentGaveMayBeTakenBeforeTheEdit() async throws {
        let map = { (factor: Int) in #"{"id": "m", "map": {"expression": "x * \#(factor)"}}"# }
        let run = try LiveRun(interval(1, map(1)), clock: clock)
        #expect(try await next(run, after: .seconds(1)) == #"{"time": 1, "value": 0}"#)
        clock.advance(by: .seconds(2))
        let old = Locked([String]())
        try await run.edit(to: interval(1, map(10))) { event in old.withLock { $0.append(event.line) } }
        #expect(old.withLock { $0 } == [#"{"time": 2, "value": 1}"#, #"{"time": 3, "value": 2}"#])
        #expect(try await next(run, after: .seconds(1)) == #"{"time": 4, "value": 30}"#)
        // What the closure throws leaves the old document running.
        clock.advance(by: .seconds(1))
        struct No: Error {}
        await #expect(throws: No.self) { try await run.edit(to: interval(1, map(100))) { _ in throw No() } }
        #expect(try await next(run, after: .seconds(1)) == #"{"time": 6, "value": 50}"#)
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

    /// Journaled items after a checkpoint are replayed at their times; items of repeatable sources are not read twice.
    @Test(arguments: [false, true]) func aJournalIsReplayed(isRepeatable: Bool) async throws {
        let (items, feed) = AsyncStream.makeStream(of: JSON.self)
        var host = StreamHost()
        host.register("numbers") { _ in items }
        let document = try StreamDocument(
            parsing: #"{"source": {"outside": "numbers"}, "operators": [{"debounce": {"seconds": 2}}]}"#
        )
        let journal = Locked<[StreamInput]>([])
        let run = try LiveRun(
            document,
            journal: { input in journal.withLock { $0.append(input) } },
            host: host,
            clock: clock
        )
        let clock = clock
        let reader = Task { try await run.next()?.line }
        for (number, count) in [(1, 1), (2, 2)] {
            feed.yield(.int(Int64(number)))
            while journal.withLock({ $0.count }) < count { await Task.yield() }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        let inputs = journal.withLock { $0 }
        #expect(inputs.map(\.nanoseconds) == [0, 1_000_000_000])
        #expect(inputs.map(\.source) == ["source", "source"])
        let encoded = try SluiceJSONDecoder().decode([StreamInput].self, from: SluiceJSONEncoder().text(inputs))
        await run.close()
        #expect(try await reader.value == nil)

        var again = StreamHost()
        again.register("numbers", isRepeatable: isRepeatable) { _, inlet in
            for number in isRepeatable ? [1, 2, 3] : [3] { try await inlet.send(.int(Int64(number))) }
        }
        let other = try LiveRun(document, replaying: encoded, host: again, clock: clock)
        // The source gives 3 and ends: what waits comes at the end.
        #expect(try await other.next()?.line == #"{"time": 1, "value": 3}"#)
        #expect(await other.checkpoint().offsets.isEmpty)
        var silent = StreamHost()
        silent.register("numbers") { _ in AsyncStream<JSON> { _ in } }
        let late = try LiveRun(document, replaying: encoded, host: silent, clock: clock)
        #expect(try await next(late, after: .seconds(2)) == #"{"time": 3, "value": 2}"#)
    }

    /// A source with positions is started after the last item that the run has had, of the checkpoint or of the journal.
    @Test func aSourceContinuesAfterItsPosition() async throws {
        let positions = Locked<[String?]>([])
        var host = StreamHost()
        host.register("numbers", hasPositions: true) { _, inlet in
            positions.withLock { $0.append(inlet.position) }
            let first = inlet.position.flatMap { Int64($0) } ?? 0
            for number in first + 1..<6 { try await inlet.send(.int(number), at: "\(number)") }
        }
        let document = try StreamDocument(
            parsing: #"{"source": {"outside": "numbers"}, "operators": [{"map": {"expression": "x * 10"}}]}"#
        )
        let journal = Locked<[StreamInput]>([])
        let run = try LiveRun(
            document,
            journal: { input in journal.withLock { $0.append(input) } },
            host: host,
            clock: clock
        )
        #expect(try await run.next()?.value == 10)
        let saved = try StreamCheckpoint(parsing: await run.checkpoint().text)
        let count = journal.withLock { $0.count }
        #expect(try await run.next()?.value == 20)
        let inputs = try SluiceJSONDecoder().decode(
            [StreamInput].self,
            from: SluiceJSONEncoder().text(journal.withLock { Array($0[count...]) })
        )
        await run.close()
        #expect(inputs.count == 1)
        for (replayed, expected) in [([], [20, 30, 40, 50]), (inputs, [20, 30, 40, 50])] as [([StreamInput], [JSON])] {
            let other = try LiveRun(document, from: saved, replaying: replayed, host: host, clock: clock)
            var values: [JSON] = []
            while let event = try await other.next(), !event.isLast {
                values.append(contentsOf: [event.value].compactMap(\.self))
            }
            #expect(values == expected)
        }
        #expect(positions.withLock { $0 } == [nil, "1", "2"])
    }

    @Test func aJournalOfAnotherRunIsRefused() throws {
        let text = #"[{"source": "nobody", "nanoseconds": 0, "item": ["value", 1]}]"#
        let inputs = try SluiceJSONDecoder().decode([StreamInput].self, from: text)
        #expect(throws: StreamError(path: "nobody", message: "no source is read here at 0 seconds")) {
            try LiveRun(interval(1), replaying: inputs, clock: clock)
        }
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
