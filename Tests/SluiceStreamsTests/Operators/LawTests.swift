import SluiceJSON
import Testing

@testable import SluiceStreams

/// The laws of all operators that read a single stream; each diagram is a case.
@Suite struct LawTests {
    static let kinds = OperatorKind.transforming + OperatorKind.filtering + OperatorKind.aggregating

    /// The diagrams with an input, whose first operator is of these kinds.
    static let blocks = DiagramTests.blocks.filter { block in
        guard let diagram = try? Diagram(block.lines), diagram.input != nil else { return false }
        return kinds.contains { $0.name == name(diagram) }
    }

    static func name(_ diagram: Diagram) -> String? {
        let first = if case .array(let operators) = diagram.json { operators.first } else { diagram.json as JSON? }
        return first?.object?.first?.key
    }

    @Test(arguments: kinds.map(\.name)) func everyKindHasItsDiagram(_ name: String) throws {
        #expect(try Self.blocks.contains { try Self.name(Diagram($0.lines)) == name })
    }

    @Test(arguments: blocks) func whoLeavesHasHadWhatCameBefore(_ block: DiagramTests.Block) throws {
        let diagram = try Diagram(block.lines)
        let all = try run(diagram.flow(), leaving: nil)
        let length = try Marbles(parsing: diagram.input ?? "", frame: #require(StreamTime(seconds: 1))).length
        for frame in 0...Int(length.seconds) {
            let time = try #require(StreamTime(seconds: Double(frame)))
            let some = try run(diagram.flow(), leaving: time)
            #expect(areAlike(some, all.filter { $0.time < time }), "leaving at \(frame)")
        }
    }

    /// In place of the completion the input fails: what came before is as it was, and the error passes.
    @Test(arguments: blocks) func anErrorPasses(_ block: DiagramTests.Block) throws {
        var diagram = try Diagram(block.lines)
        let all = try run(diagram.flow(), leaving: nil)
        let input = try #require(diagram.input)
        guard input.hasSuffix("|") else { return }
        diagram.input = input.dropLast() + "#"
        let failing = try run(diagram.flow(), leaving: nil)
        let end = try Marbles(parsing: input, frame: #require(StreamTime(seconds: 1))).events.last?.time
        let had = all.filter { $0.time < end ?? .zero }
        if had.last?.isLast == true { return #expect(areAlike(failing, all)) }
        if Self.name(diagram) == OperatorKind.materialize.name {
            #expect(failing.suffix(2).map(\.kind) == [.value(["error": "error"]), .completed])
            return
        }
        #expect(areAlike(failing.filter { $0.time < end ?? .zero }, had))
        #expect(failing.dropFirst(had.count).map(\.kind) == [.failed(StreamError(message: "error"))])
        #expect(failing.last?.time == end)
    }

    /// A subscriber that leaves at a time receives nothing of that instant. Afterwards nothing may be armed.
    private func run(_ flow: Flow<JSON>, leaving: StreamTime?) throws -> [StreamEvent<JSON>] {
        let engine = Engine(flow)
        while let due = engine.nextDue, leaving.map({ due < $0 }) ?? true { engine.advance(to: due) }
        engine.run.lifetime.close()
        #expect(engine.run.nextDue == nil, "a timer is armed")
        var events: [StreamEvent<JSON>] = []
        while let event = engine.next() { events.append(event) }
        return events
    }
}
