import SluiceJSON
import SluiceStreams
import Testing

struct WindowSessionTests {
    @Test func endsWhenNoValueComes() throws {
        try expect(
            "12-3-----4--5-|",
            #"[{"windowSession": {"seconds": 3}}]"#,
            gives: "------'[1,2,3]'-------('[4,5]'|)"
        )
        try expect("----|", #"[{"windowSession": {"seconds": 3}}]"#, gives: "----|")
        try expect("1-#", #"[{"windowSession": {"seconds": 3}}]"#, gives: "--#")
    }

    @Test func runsOperatorsOnEachSession() throws {
        let operators = #"[{"windowSession": {"seconds": 2, "operators": [{"count": {}}]}}]"#
        try expect("12---3---|", operators, gives: "---2---1-|")
    }

    @Test func isData() throws {
        try expect(.windowSession(seconds: 3), isText: #"{"windowSession":{"seconds":3}}"#)
    }
}
