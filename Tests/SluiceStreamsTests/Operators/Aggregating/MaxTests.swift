import SluiceJSON
import SluiceStreams
import Testing

@Suite struct MaxTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"max": {}}]"#, gives: "----#")
        try expect("--|", #"[{"max": {}}]"#, gives: "--|")
        try expect("---", #"[{"max": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"max": {}}]"#, gives: "", leaving: 5)
    }

    @Test func comesAtTheCompletion() throws {
        try expect("-2-1-3-2-|", #"[{"max": {}}]"#, gives: "---------(3|)")
    }

    @Test func aKeyIsComparedInPlaceOfTheValue() throws {
        let operators = #"[{"max": {"expression": "size(x)"}}]"#
        try expect(#"-'"bb"'-'"a"'-'"ccc"'-|"#, operators, gives: #"-------('"ccc"'|)"#)
    }

    @Test func theFirstOfSeveralIsIt() throws {
        try expect("-7-5-|", #"[{"max": {"expression": "x % 2"}}]"#, gives: "-----(7|)")
    }

    @Test func numbersOfAllTypesHaveAnOrder() throws {
        try expect("-2-'1.5'-|", #"[{"max": {}}]"#, gives: "-----(2|)")
    }

    @Test(arguments: [
        ("1", #""a""#, "int and string"), ("null", "1", "null_type and int"), ("[1]", "[2]", "two of list"),
        (#"{"a": 1}"#, #"{"a": 1}"#, "two of map"),
    ])
    func withoutAnOrderIsAnError(_ first: String, _ second: String, _ kinds: String) throws {
        let operators = #"[{"flatMap": {"to": {"values": [\#(first), \#(second)]}}}, {"max": {}}]"#
        #expect(try failure(of: "0", operators) == "operators[1].max: \(kinds) have no order")
    }

    @Test func nanHasNoOrder() throws {
        let operators = #"[{"map": {"expression": "0.0 / double(x)"}}, {"max": {}}]"#
        try expect("-1-0-|", operators, gives: "---#")
        let dropping = #"[{"map": {"expression": "0.0 / double(x)"}}, {"max": {"onError": "drop"}}]"#
        try expect("-1-0-|", dropping, gives: "-----(0|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(2, 1, 3).max().virtualEvents()) == ["0:3", "0|"])
        #expect(text(Flow.values("bb", "a", "ccc").max { $0.count < $1.count }.virtualEvents()) == ["0:ccc", "0|"])
        #expect(text(Flow<Int>.empty.max().virtualEvents()) == ["0|"])
    }

    @Test func isData() throws {
        try expect(.max(), isText: #"{"max":{}}"#)
        try expect(.max("x.a", onError: .drop), isText: #"{"max":{"expression":"x.a","onError":"drop"}}"#)
    }
}
