import SluiceJSON
import Testing

@testable import SluiceStreams

/// The cost of finding the values of which others were made: nothing while nobody looks, and little while somebody does.
@Suite struct ProbeTests {
    /// A run of a document that is watched.
    private func started(_ text: String, _ watch: StageWatch?, limits: StreamLimits = StreamLimits()) throws
        -> StreamRun
    {
        let document = try StreamDocument(parsing: text)
        return try StreamRun(
            driving: document,
            from: nil,
            watch: watch,
            in: StreamLibrary(),
            host: nil,
            limits: limits
        )
    }

    /// Advances a run to a time. Takes its marks only while it traces, as a hub does.
    private func pass(_ seconds: Int, _ run: StreamRun, _ watch: StageWatch?) {
        while let due = run.nextDue, due <= StreamTime(seconds: Double(seconds)) ?? .zero {
            run.advance(to: due)
            while run.next() != nil {}
            if let watch, watch.isTracing { _ = watch.take() }
        }
    }

    /// A chain of twenty stages, each of which passes a number on.
    private let chain =
        #"{"source": {"interval": {"seconds": 1}}, "operators": ["#
        + Array(repeating: #"{"map": {"expression": "x + 1"}}"#, count: 20).joined(separator: ",") + "]}"

    /// In a process of its own, since it measures.
    @Test func valuesCostLittle() async {
        await #expect(processExitsWith: .success) {
            try Self().checkTheCostWithoutSubscribers()
            try Self().checkTheCostOfElements()
        }
    }

    private func checkTheCostWithoutSubscribers() throws {
        let watch = StageWatch()
        watch.isTracing = false
        let (plain, watched) = (try started(chain, nil), try started(chain, watch))
        pass(100, plain, nil)
        pass(100, watched, watch)
        // Compare the least of ten turns: the load of the machine slows single turns down.
        var (least, cost) = (Double.infinity, Double.infinity)
        for turn in 1...10 {
            least = min(least, processorSeconds { pass(100 + 200 * turn, plain, nil) })
            cost = min(cost, processorSeconds { pass(100 + 200 * turn, watched, watch) })
        }
        #expect(cost < least * 4, "\(cost) s, \(least) s without a watch")
    }

    /// Elements are found by hash: what they cost does not depend on the number of values that are remembered.
    private func checkTheCostOfElements() throws {
        func cost(remembered count: Int) throws -> Double {
            let watch = StageWatch()
            let run = try started(
                #"""
                {"source": {"merge": [
                    {"source": {"range": {"from": 1, "count": \#(count)}}},
                    {"source": {"interval": {"seconds": 1}}, "operators": [{"map": {"expression": "-1 - x"}}]}]},
                 "operators": [
                    {"filter": {"expression": "x < 0"}},
                    {"scan": {"initialValue": \#((1000..<1500).map { 1000 * $0 }), "expression": "acc"}}]}
                """#,
                watch
            )
            pass(5, run, watch)
            return (1...5).map { turn in processorSeconds { pass(5 + 8 * turn, run, watch) } }.min() ?? .infinity
        }
        let few = try cost(remembered: 1)
        let many = try cost(remembered: 250)
        #expect(many < few * 4, "\(many) s with many values, \(few) s with few")
    }

    /// A page that is open on a stream of large values must not take memory that no budget counts.
    @Test func largeValuesAreNotRemembered() throws {
        let watch = StageWatch()
        let long = String(repeating: "a", count: 60_000)
        let run = try started(
            #"""
            {"source": {"interval": {"seconds": 1}}, "operators": [
                {"map": {"expression": "'\#(long)' + string(x)"}}, {"map": {"expression": "x + 'b'"}},
                {"delay": {"seconds": 0.5}}]}
            """#,
            watch
        )
        var marks: [StageWatch.Mark] = []
        for second in 1...300 {
            while let due = run.nextDue, due <= StreamTime(seconds: Double(second)) ?? .zero {
                run.advance(to: due)
                while run.next() != nil {}
                marks = watch.take()
            }
            #expect(watch.probe?.keptSize ?? .max <= 4 << 20)
        }
        #expect(watch.probe?.stages.allSatisfy { $0.marks.count < 100 } ?? false)
        // The remembered values suffice for the origins of values that wait for half a second.
        #expect(marks.map(\.stage) == [0, 1, 2] && marks.allSatisfy { $0.mark.origins == [299] })
        run.advance(to: StreamTime(seconds: 300.5) ?? .zero)
        #expect(watch.take().last?.mark.origins == [299])
    }

    /// Nothing is remembered any more after the last page was closed.
    @Test func nothingIsRememberedForNobody() throws {
        let watch = StageWatch()
        let run = try started(chain, watch)
        pass(100, run, watch)
        let probe = try #require(watch.probe)
        #expect(probe.keptSize > 0 && probe.stages.allSatisfy { !$0.marks.isEmpty })
        watch.isTracing = false
        #expect(probe.keptSize == 0 && probe.stages.allSatisfy(\.marks.isEmpty))
        pass(200, run, watch)
        #expect(probe.keptSize == 0)
        watch.isTracing = true
        pass(201, run, watch)
        #expect(probe.stages.map(\.marks.count) == Array(repeating: 1, count: 21))
        #expect(probe.stages.last?.marks.last?.origins == [200])
    }

    /// An instant may have many values, each within its bound.
    @Test func theValuesOfAnInstantAreBounded() throws {
        let document = #"""
            {"source": {"range": {"from": 0, "count": 1000}}, "operators": [
                {"map": {"expression": "'0123456789'"}}, {"collect": {"count": 1000}}]}
            """#
        func outcome(_ size: Int) throws -> String {
            let watch = StageWatch()
            let run = try started(document, watch, limits: StreamLimits(valueSize: size))
            run.advance(to: .zero)
            guard case .failed(let error) = run.next()?.kind else { return "" }
            return error.description
        }
        #expect(try outcome(100_000) == "")
        let error = try outcome(100)
        #expect(error.contains("the values of one instant take more than 0.1 MB together"), "\(error)")
        #expect(error.contains("operators[0].map") || error.contains("source"), "\(error)")
        // Each instant has a bound of its own.
        let run = try started(chain, StageWatch(), limits: StreamLimits(valueSize: 100))
        pass(1000, run, nil)
        #expect(!run.isEnded)
    }
}
