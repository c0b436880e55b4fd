import SluiceJSON
import Testing

@testable import SluiceStreams

/// The documented example of every operator holds where the types of the items are known, too.
struct ExampleTypesTests {
    @Test func examplesOverWholeNumbersHoldForDeclaredItems() throws {
        var count = 0
        for block in DiagramTests.blocks where block.file.contains("/Operators/") {
            let diagram = try Diagram(block.lines)
            guard diagram.input != nil, diagram.others.isEmpty else { continue }
            let (document, library) = try diagram.documents()
            let given = try library.inputValues()
            guard !given.isEmpty, given.allSatisfy({ if case .int = $0 { true } else { false } }) else { continue }
            var typed = document.pipeline
            typed.item = .int
            let flow = try StreamDocument(pipeline: typed).flow(in: library)
            let (expected, _) = try diagram.result()
            let end = expected.events.last?.isLast == true ? StreamTime(seconds: 1000) : expected.length
            let (declared, plain) = (flow.virtualEvents(until: end), try diagram.flow().virtualEvents(until: end))
            #expect(Array(declared) == Array(plain), "\(block)")
            count += 1
        }
        #expect(count > 40)
    }

    @Test func theExampleOfCompactMapCompilesAfterAnInterval() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"interval": {"seconds": 1, "count": 4}},
                 "operators": [{"compactMap": {"expression": "x == 2 ? null : x * 2"}}]}
                """#
        )
        #expect(try document.flow().virtualEvents().compactMap(\.value) == [0, 2, 6])
    }
}

extension StreamLibrary {
    fileprivate func inputValues() throws -> [JSON] {
        guard case .document(let input) = find("input") else { return [] }
        return try input.virtualEvents(until: StreamTime(seconds: 100)).compactMap(\.value)
    }
}
