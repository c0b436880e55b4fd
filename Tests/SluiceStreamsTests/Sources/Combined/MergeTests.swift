import SluiceStreams
import Testing

/// Expects a source over the streams `a`, `b` and `c` to give what a diagram says.
func expectJoined(
    _ source: String,
    _ a: String,
    _ b: String,
    _ c: String = "|",
    gives output: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try expectDiagram("a: \(a)\nb: \(b)\nc: \(c)\n\(source)\n\(output)", sourceLocation: sourceLocation)
}

@Suite struct MergeTests {
    let merge = #"{"merge": [{"ref": "a"}, {"ref": "b"}]}"#

    @Test func asTheyCome() throws {
        try expectJoined(merge, "1-3|", "-2---4|", gives: "123--4|")
        try expectJoined(merge, "1---|", "2---|", gives: "(12)|")
    }

    @Test func ends() throws {
        try expectJoined(merge, "1-#", "--2|", gives: "1-#")
        try expectJoined(merge, "|", "|", gives: "|")
        try expectJoined(merge, "|", "-", gives: "---")
        try expectJoined(#"{"merge": []}"#, "|", "|", gives: "|")
    }

    @Test func someAtATime() throws {
        let one = #"{"merge": {"sources": [{"ref": "a"}, {"ref": "b"}, {"ref": "c"}], "concurrency": 2}}"#
        try expectJoined(one, "-1--|", "--|", "-2-3|", gives: "-1-2-3|")
        try expectJoined(one, "-1--|", "--#", "-2-3|", gives: "-1#")
    }

    @Test func native() {
        #expect(
            text(Flow.values(1).merge(with: .values(2), .values(3)).virtualEvents()) == ["0:1", "0:2", "0:3", "0|"]
        )
        #expect(text(Flow<Int>.merge([]).virtualEvents()) == ["0|"])
        #expect(text(Flow.merge([.values(1), .values(2)], concurrency: 0).virtualEvents()) == ["0:1", "0:2", "0|"])
        #expect(text(Flow.values(1).merge(with: .never).virtualEvents()) == ["0:1"])
    }
}
