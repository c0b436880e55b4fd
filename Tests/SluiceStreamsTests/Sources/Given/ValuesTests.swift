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

    @Test func theyAreAnArray() {
        #expect(errors(#"[{"flatMap": {"to": {"values": 7}}}]"#).count == 1)
    }
}
