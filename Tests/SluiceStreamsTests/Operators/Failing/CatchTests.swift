import SluiceJSON
import SluiceStreams
import Testing

@Suite struct CatchTests {
    let other = #"[{"catch": {"source": {"ref": "other"}}}]"#

    @Test func goesOnWithTheOther() throws {
        try expect("-1#", other, gives: "-1-2|", others: ["other": "-2|"])
        try expect("-1#", other, gives: "-1-2#", others: ["other": "-2#"])
        try expect("-1#", other, gives: "-1-", leaving: 3, others: ["other": "-2#"])
        try expect("-1#", other, gives: "-1-2", leaving: 9, others: ["other": "-2"])
    }

    @Test func otherEnds() throws {
        try expect("-1|", other, gives: "-1|", others: ["other": "-2|"])
        try expect("|", other, gives: "|", others: ["other": "-2|"])
        try expect("-", other, gives: "-", leaving: 9, others: ["other": "-2|"])
    }

    @Test func seesTheError() throws {
        let document = try StreamDocument(
            parsing: """
                {"source": {"fail": "no net"}, "operators": [{"catch": {"source": {
                    "source": {"values": [1]}, "operators": [{"map": {"expression": "error + '!'"}}]}}}]}
                """
        )
        #expect(try document.virtualEvents().compactMap(\.value) == ["no net!"])
    }

    /// The error of an expression says where.
    @Test func seesThePlaceOfTheError() throws {
        let document = try StreamDocument(
            parsing: """
                {"source": {"values": [0]}, "operators": [{"map": {"expression": "1 / x"}}, {"catch": {"source": {
                    "source": {"values": [1]}, "operators": [{"map": {"expression": "error"}}]}}}]}
                """
        )
        #expect(
            try document.virtualEvents().compactMap(\.value) == ["operators[0].map.expression: division by zero"]
        )
    }

    @Test func native() {
        let failing = Flow.values(1).append(.fail(StreamError(message: "x")))
        let flow = failing.catch { error in .values("\(error)".count) }
        #expect(text(flow.virtualEvents()) == ["0:1", "0:1", "0|"])
        #expect(text(failing.catch { throw $0 }.virtualEvents()) == ["0:1", "0# x"])
    }
}
