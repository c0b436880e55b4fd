import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The bounds of what runs may hold.
@Suite(.timeLimit(.minutes(20))) struct MemoryTests {
    private func failure(_ operators: String, settings: RunSettings, isSubscribed: Bool = false) async throws -> String?
    {
        let text = #"{"source": {"interval": {"seconds": 0.01}}, "operators": [\#(operators)]}"#
        let stream = try await Supervised(text, settings: settings)
        stream.publisher.isSubscribed.withLock { $0 = isSubscribed }
        try await stream.supervisor.start()
        for _ in 0..<60 where stream.publisher.last?.state == .running { await stream.pass(0.5) }
        let (state, error) = (stream.publisher.last?.state, stream.publisher.last?.error)
        #expect(settings.memory.total == 0 || state == .running)
        await stream.supervisor.shutDown()
        #expect(settings.memory.total == 0)
        return error
    }

    @Test(arguments: [true, false]) func aValueIsBounded(_ isSubscribed: Bool) async throws {
        var settings = RunSettings()
        settings.limits.valueSize = 100_000
        for operators in [
            #"{"scan": {"expression": "acc + acc", "initialValue": "x"}}"#,
            #"{"scan": {"expression": "acc + acc", "initialValue": [1]}}"#,
            #"{"scan": {"expression": "{'a': acc, 'b': acc}", "initialValue": {}}}"#,
        ] {
            let error = try await failure(operators, settings: settings, isSubscribed: isSubscribed)
            #expect(error?.contains("operators[0].scan: a value takes") == true, "\(operators): \(error ?? "-")")
            #expect(error?.hasSuffix("and may take 0.1 MB") == true, "\(operators): \(error ?? "-")")
        }
    }

    /// Wherever in the document the value is: in a stream for an item, of a group, of a window, in one that is combined,
    /// and in one that only says when.
    @Test(arguments: [
        #"{"flatMap": {"to": {"source": {"values": [1]}, "operators": [GROW]}}}"#,
        #"{"concatMap": {"to": {"generate": {"initialValue": "x", "while": "true", "next": "x + x"}}}}"#,
        #"{"switchMap": {"to": {"source": {"timer": {"seconds": 0}}, "operators": [{"map": {"expression": "1"}}, GROW]}}}"#,
        #"{"groupBy": {"key": "0", "operators": [GROW, {"map": {"expression": "1"}}]}}"#,
        #"{"windowCount": {"count": 1000, "operators": [GROW, {"map": {"expression": "1"}}]}}"#,
        #"{"merge": {"source": {"source": {"interval": {"seconds": 0.01}}, "operators": [GROW, {"ignoreOutput": {}}]}}}"#,
        #"{"combineLatest": {"source": {"source": {"interval": {"seconds": 0.01}}, "operators": [GROW]}, "expression": "1"}}"#,
        #"{"sample": {"source": {"source": {"interval": {"seconds": 0.01}}, "operators": [GROW]}}}"#,
        #"{"delayWhen": {"source": {"source": {"interval": {"seconds": 0.01}}, "operators": [GROW, {"ignoreOutput": {}}]}}}"#,
        #"{"mergeScan": {"initialValue": "x", "to": {"source": {"values": [1]}, "operators": [{"map": {"expression": "acc + acc"}}, {"filter": {"expression": "true"}}]}}}"#,
        #"{"flatMap": {"to": {"stream": [{"value": 1, "operators": [GROW]}]}}}"#,
    ])
    func aValueWithinAStageIsBounded(_ text: String) async throws {
        var settings = RunSettings()
        settings.limits.valueSize = 100_000
        let grow =
            #"{"prefix": {"count": 1}}, {"repeat": {"count": 100}}, {"scan": {"expression": "acc + acc", "initialValue": "x"}}"#
        let isEndless = text.hasPrefix(#"{"groupBy"#) || text.hasPrefix(#"{"windowCount"#)
        let growing = isEndless ? #"{"scan": {"expression": "acc + acc", "initialValue": "x"}}"# : grow
        let error = try await failure(text.replacingOccurrences(of: "GROW", with: growing), settings: settings)
        #expect(error?.contains("a value takes ") == true, "\(error ?? "-")")
        #expect(error?.contains("operators[0].") == true, "\(error ?? "-")")
    }

    /// Nothing is measured within an instant, which may have many values.
    @Test(arguments: [true, false]) func anInstantIsBounded(_ isSubscribed: Bool) async throws {
        var settings = RunSettings()
        settings.limits.valueSize = 10_000
        let long = String(repeating: "a", count: 1000)
        let operators =
            #"{"concatMap": {"to": {"range": {"from": 0, "count": 10000}}, "expression": "'\#(long)' + string(x)"}}"#
        let error = try await failure(operators, settings: settings, isSubscribed: isSubscribed)
        #expect(error?.contains("the values of one instant take more than 0.7 MB together") == true, "\(error ?? "-")")
    }

    @Test func theStateIsBounded() async throws {
        var settings = RunSettings()
        settings.stateSize = 20_000
        let operators = #"{"map": {"expression": "'0123456789'"}}, {"collect": {"count": 100000}}"#
        let error = try await failure(operators, settings: settings)
        #expect(error?.hasPrefix("the state takes ") == true, "\(error ?? "-")")
    }

    /// A run within its own bound fails where all runs together hold too much.
    @Test func aRunFailsBeyondTheBoundOfAll() async throws {
        var settings = RunSettings()
        settings.memory = RunMemory(limit: 20_000)
        let operators = #"{"map": {"expression": "'0123456789'"}}, {"collect": {"count": 100000}}"#
        let error = try await failure(operators, settings: settings)
        #expect(error?.hasPrefix("all runs together hold more than ") == true, "\(error ?? "-")")
    }

    /// Ten runs hold a little each, and one holds much: that one fails.
    @Test func allRunsTogetherAreBounded() {
        let memory = RunMemory(limit: 1000)
        let runs = (0..<12).map { _ in Token() }
        let woken = Locked([Int]())
        func note(_ size: Int, of index: Int) {
            memory.note(size, of: ObjectIdentifier(runs[index])) { woken.withLock { $0.append(index) } }
        }
        func excess(of index: Int) -> Int? { memory.excess(of: ObjectIdentifier(runs[index])) }
        for index in 0..<10 { note(50, of: index) }
        note(400, of: 10)
        #expect(memory.total == 900 && excess(of: 10) == nil)
        note(600, of: 10)
        #expect(excess(of: 10) == 600 && woken.withLock { $0 } == [])
        note(60, of: 0)
        #expect(excess(of: 0) == nil)
        memory.remove(ObjectIdentifier(runs[10]))
        #expect(memory.total == 510 && excess(of: 10) == nil)
        // One that grew earlier and rests now fails before a smaller one that grows.
        note(450, of: 11)
        note(200, of: 1)
        #expect(excess(of: 11) == 450 && excess(of: 1) == nil && woken.withLock { $0 } == [11])
        #expect(memory.total == 1110)
        // Runs within their share never fail because of others.
        for index in 2..<10 { note(80, of: index) }
        #expect((2..<10).allSatisfy { excess(of: $0) == nil })
    }

    /// With many runs, each keeps less for late subscribers, and its state is measured sooner.
    @Test func sharesDependOnTheNumberOfRuns() {
        let memory = RunMemory(limit: 256 << 20)
        memory.backlogs.join()
        #expect(memory.keptSize == 1 << 20 && memory.measuringInterval == 64 << 20)
        for _ in 1..<1024 { memory.backlogs.join() }
        #expect(memory.keptSize == 32 << 10 && memory.measuringInterval == 64 << 10)
        for _ in 1...10_000 { memory.backlogs.join() }
        #expect(memory.keptSize == 16 << 10 && memory.measuringInterval == 64 << 10)
    }

    private final class Token {}

    @Test func theBacklogIsBounded() {
        var recorder = RunRecorder("a", upTo: 10_000)
        let status = RunStatus(stream: "a", pace: Pace(at: 0))
        recorder.begin(status, at: .distantPast)
        let text = String(repeating: "x", count: 3000)
        var count = 0
        while !recorder.isFull, count < 100 {
            count += 1
            recorder.take(StreamEvent(time: .zero, kind: .value(.string(text))), number: count)
        }
        #expect(count == 4)
        recorder.note(status, documents: [], at: .distantPast)
        // Outputs count until they are stored.
        let batch = recorder.batch()
        #expect(batch.map(\.outputs.count) == [4] && recorder.isFull)
        #expect(recorder.finish([StoreError(.full)]) as? StoreError == StoreError(.full))
        #expect(recorder.isFull)
        #expect(recorder.finish(recorder.batch().map { _ in nil }) == nil)
        #expect(!recorder.isFull && recorder.size == 0)
    }
}
