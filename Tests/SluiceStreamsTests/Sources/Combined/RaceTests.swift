import SluiceStreams
import Testing

@Suite struct RaceTests {
    let race = #"{"race": [{"ref": "a"}, {"ref": "b"}, {"ref": "c"}]}"#

    @Test func theFirstWins() throws {
        try expectJoined(race, "-1-1|", "2--2|", "--3|", gives: "2--2|")
        try expectJoined(race, "-1-1|", "-2|", "-3|", gives: "-1-1|")
    }

    @Test func anEndWinsToo() throws {
        try expectJoined(race, "-1", "|", "-", gives: "|")
        try expectJoined(race, "-1", "#", "-", gives: "#")
        try expectJoined(race, "-", "-", "-", gives: "-----")
        try expectJoined(#"{"race": []}"#, "|", "|", gives: "-----")
    }

    @Test func native() {
        #expect(text(Flow.values(1, 2).race(with: .values(3), .never).virtualEvents()) == ["0:1", "0:2", "0|"])
        #expect(text(Flow.never.race(with: .values(3), .values(4)).virtualEvents()) == ["0:3", "0|"])
        #expect(text(Flow<Int>.race([]).virtualEvents()) == [])
    }
}
