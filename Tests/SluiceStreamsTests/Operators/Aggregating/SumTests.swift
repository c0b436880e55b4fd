import SluiceJSON
import SluiceStreams
import Testing

@Suite struct SumTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"sum": {}}]"#, gives: "----#")
        try expect("--|", #"[{"sum": {}}]"#, gives: "--(0|)")
        try expect("---", #"[{"sum": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"sum": {}}]"#, gives: "", leaving: 5)
    }

    @Test func isWholeAsLongAsTheValuesAre() throws {
        #expect(try output(of: "1", #"[{"sum": {}}]"#) == 1)
        try expect("-1-'1.5'-2-|", #"[{"sum": {}}]"#, gives: "-------('4.5'|)")
        try expect(#"-'"ab"'-'"c"'-|"#, #"[{"sum": {"expression": "size(x)"}}]"#, gives: "-----(3|)")
        try expect("-1-2-|", #"[{"sum": {"expression": "uint(x)"}}]"#, gives: "-----(3|)")
        try expect(
            "-1-2-|",
            #"[{"map": {"expression": "double(x)"}}, {"sum": {}}, {"map": {"expression": "x / 2"}}]"#,
            gives: "-----('1.5'|)"
        )
    }

    @Test func whatDoesNotFitIsAnError() throws {
        let operators = #"[{"flatMap": {"to": {"values": [9223372036854775807, 1]}}}, {"sum": {}}]"#
        #expect(try failure(of: "0", operators) == "operators[1].sum: the sum does not fit into 64 bits")
        let large = #"[{"sum": {"expression": "18446744073709551615u"}}]"#
        #expect(try failure(of: "0", large) == "operators[0].sum: the sum does not fit into 64 bits")
    }

    @Test func whatIsNoNumberIsAnError() throws {
        #expect(try failure(of: #""a""#, #"[{"sum": {}}]"#) == "operators[0].sum: expected a number, found string")
        try expect("-1-'a'-2-|", #"[{"sum": {"onError": "drop"}}]"#, gives: "-------(3|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3).sum().virtualEvents()) == ["0:6", "0|"])
        #expect(text(Flow.values(0.5, 0.25).sum().virtualEvents()) == ["0:0.75", "0|"])
        #expect(text(Flow<Int8>.values(100, 100).sum().virtualEvents()) == ["0# the sum does not fit into 64 bits"])
    }

    @Test func isData() throws {
        try expect(.sum("x.a"), isText: #"{"sum":{"expression":"x.a"}}"#)
    }
}
