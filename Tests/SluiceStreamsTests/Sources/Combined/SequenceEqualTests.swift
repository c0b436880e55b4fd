import SluiceJSON
import SluiceStreams
import Testing

@Suite struct SequenceEqualTests {
    let equal = #"{"sequenceEqual": [{"ref": "a"}, {"ref": "b"}]}"#

    @Test func comparesWhatComes() throws {
        try expectJoined(equal, "1-2|", "-1-2-|", gives: "-----('true'|)")
        try expectJoined(equal, "1-2|", "-1-3-|", gives: "---('false'|)")
        try expectJoined(equal, "|", "|", gives: "('true'|)")
    }

    /// One that has completed has fewer values than one that has given more, whoever completes first.
    @Test func differentLengths() throws {
        try expectJoined(equal, "1|", "1--2", gives: "---('false'|)")
        try expectJoined(equal, "1-2", "1|", gives: "--('false'|)")
        try expectJoined(equal, "--|", "-1-|", gives: "--('false'|)")
        try expectJoined(equal, "-1-|", "--|", gives: "--('false'|)")
    }

    @Test func ends() throws {
        try expectJoined(equal, "1-#", "1--|", gives: "--#")
        try expectJoined(equal, "1--|", "1-#", gives: "--#")
        try expectJoined(equal, "1|", "1", gives: "-----")
    }

    @Test func ofTwo() {
        let error = #expect(throws: JSONErrors.self) {
            try StreamDocument(parsing: #"{"source": {"sequenceEqual": [{"empty": {}}]}}"#)
        }
        #expect(error?.errors.first?.message == "expected two streams, found 1")
    }

    @Test func native() {
        #expect(text(Flow.values(1, 2).sequenceEqual(.values(1, 2)).virtualEvents()) == ["0:true", "0|"])
        let lengths = Flow.values("a", "bb").sequenceEqual(.values(1, 2)) { $0.count == $1 }
        #expect(text(lengths.virtualEvents()) == ["0:true", "0|"])
        let throwing = Flow.values(1).sequenceEqual(.values(1)) { _, _ in throw StreamError(message: "no") }
        #expect(text(throwing.virtualEvents()) == ["0# no"])
    }
}
