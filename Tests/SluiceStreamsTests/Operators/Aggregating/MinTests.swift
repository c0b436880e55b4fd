import SluiceJSON
import SluiceStreams
import Testing

@Suite struct MinTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"min": {}}]"#, gives: "----#")
        try expect("--|", #"[{"min": {}}]"#, gives: "--|")
        try expect("---", #"[{"min": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"min": {}}]"#, gives: "", leaving: 5)
    }

    @Test func comesAtTheCompletion() throws {
        try expect("-2-1-3-2-|", #"[{"min": {}}]"#, gives: "---------(1|)")
    }

    @Test func aKeyIsComparedInPlaceOfTheValue() throws {
        let operators = #"[{"min": {"expression": "size(x)"}}]"#
        try expect(#"-'"bb"'-'"a"'-'"ccc"'-|"#, operators, gives: #"-------('"a"'|)"#)
    }

    @Test func theFirstOfSeveralIsIt() throws {
        try expect("-7-5-|", #"[{"min": {"expression": "x % 2"}}]"#, gives: "-----(7|)")
    }

    @Test func numbersOfAllTypesHaveAnOrder() throws {
        try expect("-2-'1.5'-|", #"[{"min": {}}]"#, gives: "-----('1.5'|)")
    }

    @Test(arguments: [
        ("1", #""a""#, "int and string"), ("null", "1", "null_type and int"), ("[1]", "[2]", "two of list"),
        (#"{"a": 1}"#, #"{"a": 1}"#, "two of map"),
    ])
    func withoutAnOrderIsAnError(_ first: String, _ second: String, _ kinds: String) throws {
        let operators = #"[{"flatMap": {"to": {"values": [\#(first), \#(second)]}}}, {"min": {}}]"#
        #expect(try failure(of: "0", operators) == "operators[1].min: \(kinds) have no order")
    }

    @Test func nanHasNoOrder() throws {
        let operators = #"[{"map": {"expression": "0.0 / double(x)"}}, {"min": {}}]"#
        try expect("-1-0-|", operators, gives: "---#")
        let dropping = #"[{"map": {"expression": "0.0 / double(x)"}}, {"min": {"onError": "drop"}}]"#
        try expect("-1-0-|", dropping, gives: "-----(0|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(2, 1, 3).min().virtualEvents()) == ["0:1", "0|"])
        #expect(text(Flow.values("bb", "a", "ccc").min { $0.count < $1.count }.virtualEvents()) == ["0:a", "0|"])
        #expect(text(Flow<Int>.empty.min().virtualEvents()) == ["0|"])
    }

    @Test func isData() throws {
        try expect(.min(), isText: #"{"min":{}}"#)
        try expect(.min("x.a"), isText: #"{"min":{"expression":"x.a"}}"#)
    }
}
