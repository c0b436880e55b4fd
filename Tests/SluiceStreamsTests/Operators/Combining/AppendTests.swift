import SluiceJSON
import SluiceStreams
import Testing

@Suite struct AppendTests {
    let values = #"[{"append": {"values": [8, 9]}}]"#
    let other = #"[{"append": {"source": {"ref": "other"}}}]"#

    @Test func givenValues() throws {
        try expect("1-|", values, gives: "1-(89|)")
        try expect("|", values, gives: "(89|)")
        try expect("1-#", values, gives: "1-#")
        try expect("1-", values, gives: "1-", leaving: 9)
        try expect("1-|", values, gives: "1-", leaving: 2)
    }

    @Test func anotherStream() throws {
        try expect("1-|", other, gives: "1--2|", others: ["other": "-2|"])
        try expect("1-|", other, gives: "1-#", others: ["other": "#"])
        try expect("1-|", other, gives: "1--", leaving: 3, others: ["other": "-2|"])
    }

    @Test func both() throws {
        let both = #"[{"append": {"values": [9], "source": {"ref": "other"}}}]"#
        try expect("1|", both, gives: "192|", others: ["other": "-2|"])
    }

    @Test func nothing() {
        let error = #expect(throws: JSONErrors.self) {
            try StreamDocument(parsing: #"{"source": {"empty": {}}, "operators": [{"append": {}}]}"#)
        }
        #expect(
            error?.errors.first?.description == "1:52: operators[0].append: nothing is given to add "
                + "(give \"values\", \"source\" or both)"
        )
    }
}
