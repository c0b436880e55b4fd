import Foundation
import SluiceJSON
import Testing

@testable import SluiceStreams

/// Who leaves a stream at any moment has had what the whole gives by then, and nothing is left behind: for every kind of
/// operator and source that reads several streams, or one of them again, from its diagrams.
@Suite struct LeavingTests {
    static let folders = ["Combining", "Flattening", "Sharing", "Failing", "Combined", "Recorded"]

    static let blocks = DiagramTests.blocks.filter { block in
        folders.contains { block.file.contains("/\($0)/") }
    }

    @Test(arguments: blocks) func leavesNothingBehind(_ block: DiagramTests.Block) throws {
        let flow = try Diagram(block.lines).flow()
        let full = Array(flow.virtualEvents(until: StreamTime(seconds: 30)))
        for half in 1...24 {
            let time = try #require(StreamTime(seconds: Double(half) / 2))
            let run = Run()
            weak let log: Log? = try leave(flow, in: run, at: time, full)
            // What is replayed to those who come later in the run goes with the run.
            let isKept = block.file.hasSuffix("ShareReplay.swift") && full.last.map { $0.time < time } == true
            if !isKept { #expect(run.held == 0, "something is held after leaving at \(time)") }
            #expect(run.nextDue == nil, "a timer is armed after leaving at \(time)")
            run.close()
            #expect(run.held == 0)
            #expect(log == nil, "something is kept alive after leaving at \(time)")
        }
    }

    /// What a subscriber has seen.
    private final class Log { var events: [StreamEvent<JSON>] = [] }

    private func leave(
        _ flow: Flow<JSON>,
        in run: Run,
        at time: StreamTime,
        _ full: [StreamEvent<JSON>]
    ) throws -> Log {
        let log = Log()
        let sink = Sink<JSON>(
            lifetime: run.lifetime.child(),
            end: { end in
                let kind: StreamEvent<JSON>.Kind =
                    if case .failed(let error) = end { .failed(StreamError(error)) } else { .completed }
                log.events.append(StreamEvent(time: run.now, kind: kind))
            },
            receive: { log.events.append(StreamEvent(time: run.now, kind: .value($0))) }
        )
        flow.subscribe(Scope(run: run, outer: nil), sink)
        while let due = run.nextDue, due < time { run.advance(to: due) }
        sink.lifetime.close()
        #expect(areAlike(log.events, full.filter { $0.time < time }), "left at \(time): \(text(log.events))")
        return log
    }

    @Test func everyKindHasADiagram() throws {
        let keys = Set(
            try Self.blocks.flatMap { block -> [String] in
                let json = try Diagram(block.lines).json
                let parts = json.array ?? [json]
                return parts.flatMap { $0.object?.map(\.key) ?? [] }
            }
        )
        let operators = OperatorKind.combining + OperatorKind.flattening + OperatorKind.sharing + OperatorKind.failing
        let sources = SourceKind.combined + SourceKind.recorded
        for name in operators.map(\.name) + sources.map(\.name) {
            #expect(keys.contains(name), "\(name) has no diagram")
        }
    }
}
