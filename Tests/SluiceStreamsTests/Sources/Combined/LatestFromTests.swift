import SluiceStreams
import Testing

@Suite struct LatestFromTests {
    let sum = #"{"withLatestFrom": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a * 10 + b"}}"#

    @Test func eachOfTheFirst() throws {
        try expectJoined(sum, "1-2-34|", "-5--|", gives: "--'25'-'35' '45'|")
        let three =
            #"{"withLatestFrom": {"sources": [{"ref": "a"}, {"ref": "b"}, {"ref": "c"}], "expression": "a + b + c"}}"#
        try expectJoined(three, "1111|", "-1|", "--1|", gives: "--33|")
    }

    @Test func ends() throws {
        try expectJoined(sum, "1-|", "|", gives: "--|")
        try expectJoined(sum, "1---|", "--#", gives: "--#")
        try expectJoined(sum, "1-#", "-2|", gives: "--#")
        try expectJoined(sum, "---", "1|", gives: "---")
        try expectJoined(#"{"withLatestFrom": []}"#, "|", "|", gives: "|")
    }

    @Test func native() {
        let pairs = Flow.values(1, 2).withLatestFrom(.values("a", "b")).map { "\($0)\($1)" }
        #expect(text(pairs.virtualEvents()) == ["0:1b", "0:2b", "0|"])
        let threes = Flow.values(1).withLatestFrom(.values("a"), .values(0.5)).map { "\($0)\($1)\($2)" }
        #expect(text(threes.virtualEvents()) == ["0:1a0.5", "0|"])
        let failing = Flow.values(1).withLatestFrom(Flow<Int>.fail(StreamError(message: "x"))).map { $0 + $1 }
        #expect(text(failing.virtualEvents()) == ["0# x"])
        #expect(text(Flow.values(1).withLatestFrom(Flow<Int>.never).map { $0 + $1 }.virtualEvents()) == ["0|"])
    }
}
