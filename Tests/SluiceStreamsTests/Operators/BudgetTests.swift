import SluiceJSON
import SluiceStreams
import Testing

/// Streams that would spin for ever end by the run's budget, and long ones do not grow the stack.
@Suite struct BudgetTests {
    static let spinning = [
        #"{"source": {"empty": {}}, "operators": [{"repeat": {}}]}"#,
        #"{"source": {"values": [1]}, "operators": [{"repeat": {}}]}"#,
        #"{"source": {"empty": {}}, "operators": [{"repeat": {"count": 999}}, {"repeat": {"count": 999}}, {"repeat": {"count": 999}}]}"#,
        #"{"source": {"values": [1]}, "operators": [{"repeat": {"count": 999}}, {"repeat": {"count": 999}}, {"repeat": {"count": 999}}]}"#,
        #"{"source": {"empty": {}}, "operators": [{"repeat": {"seconds": 0}}]}"#,
        #"{"source": {"fail": "x"}, "operators": [{"retry": {"count": 2147483647}}, {"repeat": {}}]}"#,
        #"{"source": {"empty": {}}, "operators": [{"append": {"values": []}}, {"prepend": {"values": []}}, {"repeat": {}}, {"repeat": {}}]}"#,
        #"{"source": {"values": [1]}, "operators": [{"repeat": {}}, {"flatMap": {"to": {"empty": {}}}}]}"#,
        #"{"source": {"values": [1]}, "operators": [{"repeat": {}}, {"switchMap": {"to": {"never": {}}}}]}"#,
        #"{"source": {"values": [1]}, "operators": [{"repeat": {}}, {"exhaustMap": {"to": {"empty": {}}}}]}"#,
        #"{"source": {"race": [{"empty": {}}, {"never": {}}]}, "operators": [{"repeat": {}}]}"#,
        #"{"source": {"fail": "x"}, "operators": [{"catch": {"source": {"empty": {}}}}, {"repeat": {}}]}"#,
        #"{"source": {"zip": [{"values": [1]}, {"values": [1]}]}, "operators": [{"share": {}}, {"repeat": {}}]}"#,
    ]

    @Test(arguments: spinning) func endsByTheBudget(_ text: String) throws {
        let limits = StreamLimits(eventsPerInstant: 5000)
        let events = try StreamDocument(parsing: text).virtualEvents(limits: limits)
        let message = "more than 5000 events at one instant: does something repeat without a delay?"
        #expect(Array(events).last?.kind == .failed(StreamError(message: message)))
    }

    /// A million items would wait; each operator that holds something back is stopped.
    @Test(arguments: [
        #"{"source": {"zip": [{"ref": "items"}, {"never": {}}]}}"#,
        #"{"source": {"ref": "items"}, "operators": [{"concatMap": {"to": {"never": {}}}}]}"#,
        #"{"source": {"ref": "items"}, "operators": [{"flatMap": {"to": {"never": {}}}}]}"#,
        #"{"source": {"ref": "items"}, "operators": [{"shareReplay": {}}]}"#,
        #"{"source": {"sequenceEqual": [{"ref": "items"}, {"never": {}}]}}"#,
    ])
    func whatIsHeldBackIsLimited(_ text: String) throws {
        var library = StreamLibrary()
        let items = #"{"name": "items", "source": {"values": [1]}, "operators": [{"repeat": {"count": 2000}}]}"#
        library.add(try StreamDocument(parsing: items))
        let events = try StreamDocument(parsing: text).virtualEvents(in: library, limits: StreamLimits(heldItems: 1000))
        let message = "operators hold back more than 1000 items"
        #expect(Array(events).last?.kind == .failed(StreamError(message: message)))
    }

    @Test func manyStreamsDoNotGrowTheStack() {
        let flows = (0..<100_000).map { Flow.values($0) }
        #expect(count(.append(flows)) == 100_000)
        #expect(count(.merge(flows)) == 100_000)
        let fewer = Array(flows.prefix(20_000))
        #expect(count(.merge(fewer, concurrency: 3)) == 20_000)
        #expect(count(.onErrorResumeNext(fewer)) == 20_000)
        #expect(count(.race(fewer)) == 1)
        #expect(count(Flow.zip(fewer)) == 1)
        #expect(count(Flow.forkJoin(fewer)) == 1)
        #expect(count(Flow.combineLatest(fewer)) == 1)
        #expect(count(Flow.values(contentsOf: Array(0..<20_000)).concatMap { fewer[$0] }) == 20_000)
        #expect(count(Flow.values(1).repeat(20_000)) == 20_000)
    }

    private func count<Value>(_ flow: Flow<Value>) -> Int {
        flow.virtualEvents().reduce(0) { $0 + ($1.value == nil ? 0 : 1) }
    }
}
