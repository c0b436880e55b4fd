import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ValuesTests {
    @Test func comeAtOnce() throws {
        try expectDiagram("{\"values\": []}\n|")
        try expectDiagram("{\"of\": {\"values\": [1, \"a\", null]}}\n(1a'null'|)")
    }

    @Test func whoHasEnoughGetsNoMore() throws {
        #expect(text(Flow.values(1, 2, 3).prefix(1).virtualEvents()) == ["0:1", "0|"])
    }

    /// The elements of a sequence, and an array as one value, have different spellings, also within closures.
    @Test func theElementsOfASequence() {
        #expect(text(Flow.values(contentsOf: [1, 2]).virtualEvents()) == ["0:1", "0:2", "0|"])
        #expect(text(Flow.values(contentsOf: Set([7])).virtualEvents()) == ["0:7", "0|"])
        #expect(Flow.values([1, 2]).virtualEvents().compactMap(\.value) == [[1, 2]])
        let nested = Flow.values(1, 2).flatMap { number in
            let values = [number, number * 10]
            return Flow.values(contentsOf: values)
        }
        #expect(nested.virtualEvents().compactMap(\.value) == [1, 10, 2, 20])
        #expect(StreamModel.values(contentsOf: 1...3).virtualEvents().compactMap(\.value) == [1, 2, 3])
        #expect(StreamModel.values([1, 2]).virtualEvents().compactMap(\.value) == [[1, 2]])
    }

    @Test func theyAreAnArray() {
        #expect(errors(#"[{"flatMap": {"to": {"values": 7}}}]"#).count == 1)
    }
}
