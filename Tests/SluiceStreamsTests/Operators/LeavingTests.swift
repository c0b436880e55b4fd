import Foundation
import SluiceJSON
import Testing

@testable import SluiceStreams

/// Whoever leaves, at any instant or at any value, has had what came before, and leaves nothing behind.
struct LeavingTests {
    /// The diagrams of all operators and sources.
    static let blocks = DiagramTests.blocks.filter { $0.file.hasPrefix("Sources/") }

    @Test func everyKindHasADiagram() throws {
        let keys = Set(
            try Self.blocks.flatMap { block -> [String] in
                let json = try Diagram(block.lines).json
                return (json.array ?? [json]).flatMap { $0.object?.map(\.key) ?? [] }
            }
        )
        let names = OperatorKind.all.map(\.name) + SourceKind.all.map(\.name)
        #expect(names.filter { !keys.contains($0) } == [], "these have no diagram")
    }

    @Test(arguments: blocks) func atAnyInstant(_ block: DiagramTests.Block) throws {
        let diagram = try Diagram(block.lines)
        let (expected, full) = try diagram.result()
        let leaving = try Leaving(diagram)
        for frame in 0...Int(expected.length.seconds) {
            let time = try #require(StreamTime(seconds: Double(frame)))
            let left = leaving.leave(at: time)
            #expect(left.isClean, "leaving at \(frame)")
            #expect(areAlike(left.events, full.filter { $0.time < time }), "leaving at \(frame)")
        }
    }

    @Test(arguments: blocks) func atAnyValue(_ block: DiagramTests.Block) throws {
        let diagram = try Diagram(block.lines)
        let full = try diagram.result().actual
        let leaving = try Leaving(diagram)
        for count in 1..<(1 + full.count { $0.value != nil }) {
            let left = leaving.leave(afterValues: count)
            #expect(left.isClean, "leaving at value \(count)")
            #expect(areAlike(left.events, Array(full.prefix(left.events.count))), "leaving at value \(count)")
            #expect(left.events.count == count || left.events.last?.isLast == true)
        }
    }
}

/// One subscription that is left.
private struct Leaving {
    let flow: Flow<JSON>
    /// A Boolean value that indicates whether the stream keeps values for late subscribers in the run.
    let isKeeping: Bool

    init(_ diagram: Diagram) throws {
        flow = try diagram.flow()
        isKeeping = diagram.json.text().contains("shareReplay")
    }

    struct Left {
        var events: [StreamEvent<JSON>] = []
        /// Returns whether no timer is armed, nothing is held, and the run is gone.
        var isClean = false
    }

    func leave(at time: StreamTime? = nil, afterValues count: Int = .max) -> Left {
        var left = Left()
        weak var run: Run?
        do {
            let running = Run()
            run = running
            left.events = events(of: running, until: time, count)
            left.isClean = running.nextDue == nil && running.queue.count == 0 && (isKeeping || running.held == 0)
            // What the whole run has in common goes with it.
            running.close()
        }
        left.isClean = left.isClean && run == nil
        return left
    }

    private func events(of run: Run, until time: StreamTime?, _ count: Int) -> [StreamEvent<JSON>] {
        let events = Cell<[StreamEvent<JSON>]>([])
        let lifetime = run.lifetime.child()
        let sink = Sink<JSON>(
            lifetime: lifetime,
            end: { [unowned run] end in
                switch end {
                case .completed: events.state.append(StreamEvent(time: run.now, kind: .completed))
                case .failed(let error):
                    events.state.append(StreamEvent(time: run.now, kind: .failed(StreamError(error))))
                }
            },
            receive: { [unowned run] value in
                events.state.append(StreamEvent(time: run.now, kind: .value(value)))
                if events.state.count == count { lifetime.close() }
            }
        )
        let end = time ?? StreamTime(nanoseconds: 1_000_000_000_000)
        if end > .zero { flow.subscribe(Scope(run: run, outer: nil), sink) }
        while let due = run.nextDue, due < end { run.advance(to: due) }
        lifetime.close()
        return events.state
    }
}
