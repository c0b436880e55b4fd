import SluiceStreams
import Testing

@Suite struct ForkJoinTests {
    let sum = #"{"forkJoin": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a * 10 + b"}}"#

    @Test func theLastOfAll() throws {
        try expectJoined(sum, "12|", "-3-4-|", gives: "-----('24'|)")
        try expectJoined(#"{"forkJoin": [{"ref": "a"}, {"ref": "b"}]}"#, "1|", "-x|", gives: "--('[1,\"x\"]'|)")
    }

    @Test func ends() throws {
        try expectJoined(sum, "1-|", "-|", gives: "-|")
        try expectJoined(sum, "1-#", "-----|", gives: "--#")
        try expectJoined(sum, "1-", "2|", gives: "-----")
        try expectJoined(#"{"forkJoin": []}"#, "|", "|", gives: "|")
    }

    @Test func native() {
        #expect(text(Flow.forkJoin([.values(1, 2), .values(3)]).virtualEvents()) == ["0:[2, 3]", "0|"])
        #expect(text(Flow.forkJoin([.empty, .values(3)]).virtualEvents()) == ["0|"])
        #expect(text(Flow.forkJoin([.values(1), .fail(StreamError(message: "x"))]).virtualEvents()) == ["0# x"])
        #expect(text(Flow.forkJoin([.values(1), .never]).virtualEvents()) == [])
    }
}
