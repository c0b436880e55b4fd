import SluiceStreams
import Testing

@Suite struct ConcatenationTests {
    let append = #"{"append": [{"ref": "a"}, {"ref": "b"}, {"ref": "c"}]}"#
    let resume = #"{"onErrorResumeNext": [{"ref": "a"}, {"ref": "b"}, {"ref": "c"}]}"#

    @Test func oneAfterAnother() throws {
        try expectJoined(append, "-1|", "-2|", "-3|", gives: "-1-2-3|")
        try expectJoined(append, "-1|", "|", "-3|", gives: "-1-3|")
        try expectJoined(append, "-1|", "#", "-3|", gives: "-1#")
        try expectJoined(append, "-1|", "-", "-3|", gives: "-1---")
        try expectJoined(#"{"concat": []}"#, "|", "|", gives: "|")
    }

    /// A hot source gives what comes from the moment on at which it is its turn.
    @Test func hotSources() throws { try expectJoined(append, "---|", "^1--4|", "|", gives: "----4|") }

    @Test func afterErrorsToo() throws {
        try expectJoined(resume, "-1#", "-2|", "-3#", gives: "-1-2-3|")
        try expectJoined(resume, "#", "#", "#", gives: "|")
        try expectJoined(resume, "|", "-", "3|", gives: "---")
        try expectJoined(#"{"onErrorResumeNext": []}"#, "|", "|", gives: "|")
    }

    @Test func native() {
        let failing = Flow<Int>.fail(StreamError(message: "x"))
        #expect(text(Flow.values(1).append(2, 3).prepend(0).virtualEvents()) == ["0:0", "0:1", "0:2", "0:3", "0|"])
        #expect(text(Flow.values(1).append(failing).append(2).virtualEvents()) == ["0:1", "0# x"])
        #expect(text(Flow.values(1).prepend(.values(8, 9)).virtualEvents()) == ["0:8", "0:9", "0:1", "0|"])
        #expect(text(Flow.append([.values(1), .empty, .values(2)]).virtualEvents()) == ["0:1", "0:2", "0|"])
        #expect(text(Flow.onErrorResumeNext([failing, .values(2)]).virtualEvents()) == ["0:2", "0|"])
    }
}
