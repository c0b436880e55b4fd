import SluiceJSON
import SluiceStreams
import Testing

@Suite struct CompactMapTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"compactMap": {"expression": "x == 2 ? null : x"}}]"#, gives: "-1--#")
        try expect("--|", #"[{"compactMap": {"expression": "x == 2 ? null : x"}}]"#, gives: "--|")
        try expect("---", #"[{"compactMap": {"expression": "x == 2 ? null : x"}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"compactMap": {"expression": "x == 2 ? null : x"}}]"#, gives: "-1", leaving: 5)
    }

    @Test func optionalsAreOpened() throws {
        let items = #"-'{"a": 5}'-'{"b": 6}'-'{"a": null}'-|"#
        try expect(items, #"[{"compactMap": {"expression": "x.?a"}}]"#, gives: "-5---'null'-|")
    }

    @Test func itemsMayHaveAType() throws {
        let operators =
            #"[{"map": {"expression": "size(x)"}}, {"compactMap": {"expression": "x == 2 ? dyn(null) : x"}}]"#
        try expect("-'a'-'bb'-|", operators, gives: "-1---|")
        try expect("-'a'-'bb'-|", operators.replacing("dyn(null)", with: "null"), gives: "-1---|")
        #expect(
            errors(#"[{"map": {"expression": "1"}}, {"compactMap": {"expression": "x == 2 ? 'a' : 1"}}]"#) == [
                "operators[1].compactMap.expression: both answers of ?: are of one type, found string and int "
                    + "(use dyn(…) around one of them)"
            ]
        )
    }

    /// One branch is `null` and the other one of any type, in either order, over items with a type and without.
    @Test(arguments: [
        ("x", "1"), ("x * 2", "2"), ("1.5", "1.5"), ("string(x)", #""1""#), ("'a'", #""a""#), ("x > 0", "true"),
        ("[x]", "[1]"), ("[]", "[]"), (#"{"a": x}"#, #"{"a":1}"#), ("{}", "{}"), ("[[x], [1.5]]", "[[1],[1.5]]"),
        ("[x, null]", "[1,null]"), ("x > 5 ? null : 1.5", "1.5"),
        ("(x > 5 ? [1] : null) == null ? 'b' : null", #""b""#),
        ("x == 1 ? (x > 5 ? null : {'a': [x]}) : null", #"{"a":[1]}"#), ("optional.of(x)", "1"), ("i + 1", "1"),
        ("[1, 2].map(n, n > 1 ? null : 'c')", #"["c",null]"#), ("cel.bind(n, x + 1, n == 3 ? null : [n])", "[2]"),
    ])
    func nullBesideAnyType(_ branch: String, _ value: String) throws {
        for expression in ["x == 2 ? null : (\(branch))", "x != 2 ? (\(branch)) : null"] {
            for source in [#"{"interval": {"seconds": 1, "first": 0, "count": 3}}"#, #"{"values": [0, 1, 2]}"#] {
                let document = try StreamDocument(
                    parsing: #"""
                        {"source": \#(source), "operators": [{"dropFirst": {"count": 1}},
                         {"compactMap": {"expression": \#(JSON.string(expression))}}]}
                        """#
                )
                #expect(document.errors == nil, "\(expression)")
                let events = Array(try document.virtualEvents())
                #expect(events.compactMap { $0.value?.text() } == [value], "\(expression) after \(source)")
                #expect(events.last?.isLast == true, "\(expression) after \(source)")
            }
        }
    }

    /// Only `null` joins with another type, only in `compactMap`, and everything else is checked as elsewhere.
    @Test(arguments: ["x == 2 ? 'a' : 1", "x == 2 ? [x] : {}", "x == 2 ? null : x.name", "x == 2 ? null : x + 'a'"])
    func otherTypesAreChecked(_ expression: String) throws {
        let text = { (name: String) in
            #"{"source": {"interval": {"seconds": 1}}, "operators": [{"\#(name)": {"expression": "\#(expression)"}}]}"#
        }
        #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text("compactMap")).flow(in: StreamLibrary()) }
        #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text("map")).flow(in: StreamLibrary()) }
    }

    @Test func mapStillNeedsOneType() {
        let operators = #"[{"map": {"expression": "1"}}, {"map": {"expression": "x == 2 ? null : [x]"}}]"#
        #expect(errors(operators).count == 1)
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-2-|", #"[{"compactMap": {"expression": "4 / x"}}]"#, gives: "-4-#")
        try expect("-1-0-2-|", #"[{"compactMap": {"expression": "4 / x", "onError": "drop"}}]"#, gives: "-4---2-|")
    }

    @Test func isNative() {
        #expect(Flow.values("1", "b", "3").compactMap { Int($0) }.virtualEvents().compactMap(\.value) == [1, 3])
    }

    @Test func isData() throws {
        try expect(.compactMap("x.?a"), isText: #"{"compactMap":{"expression":"x.?a"}}"#)
    }
}
