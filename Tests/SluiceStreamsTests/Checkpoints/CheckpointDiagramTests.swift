import SluiceStreams
import Testing

/// Every operator and source is shown by a diagram; each is cut at every instant.
struct CheckpointDiagramTests {
    @Test(arguments: DiagramTests.blocks) func goesOnWhereItWasCut(_ block: DiagramTests.Block) throws {
        let (document, library) = try Diagram(block.lines).documents()
        let end = try #require(StreamTime(seconds: 40))
        let (cuts, problem) = try CutRun(document, library, end: end).problem()
        #expect(cuts > 0)
        #expect(problem == nil)
    }
}
