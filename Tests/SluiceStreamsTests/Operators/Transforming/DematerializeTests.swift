import SluiceJSON
import SluiceStreams
import Testing

@Suite struct DematerializeTests {
    static let operators = #"[{"dematerialize": {}}]"#

    @Test func doesWhatTheValuesSay() throws {
        try expect(#"-'{"value": 1}'-'{"completed": true}'-'{"value": 2}'|"#, Self.operators, gives: "-1-|")
        try expect(#"-'{"value": 1}'#"#, Self.operators, gives: "-1#")
        try expect("--|", Self.operators, gives: "--|")
        try expect("---", Self.operators, gives: "---")
        try expect(#"-'{"value": 1}'-'{"value": 2}'-|"#, Self.operators, gives: "-1", leaving: 3)
    }

    @Test func isTheOpposite() throws {
        for source in ["-1-2-|", "-1-2#", "-|", "#", "---"] {
            try expect(source, #"[{"materialize": {}}, {"dematerialize": {}}]"#, gives: source)
        }
    }

    @Test(arguments: [
        "1", "{}", #"{"completed": false}"#, #"{"error": 1}"#, #"{"value": 1, "error": "x"}"#, #"{"a": 1}"#,
    ])
    func anythingElseIsAnError(_ value: String) throws {
        try expect("-'\(value)'-|", #"[{"dematerialize": {"onError": "drop"}}]"#, gives: "---|")
        #expect(
            try failure(of: value, #"[{"dematerialize": {}}]"#)
                == #"operators[0].dematerialize: expected {"value": …}, {"completed": true}, {"error": "…"} or {"reported": "…"}"#
        )
    }

    @Test func isNative() {
        let flow: Flow<Int> = Flow<StreamEvent<Int>.Kind>.values(.value(1), .completed, .value(2)).dematerialize()
        #expect(text(flow.virtualEvents()) == ["0:1", "0|"])
        let failing: Flow<Int> = Flow<StreamEvent<Int>.Kind>.values(.failed(StreamError(message: "broke")))
            .dematerialize()
        #expect(text(failing.virtualEvents()) == ["0# broke"])
        let odd = StreamError(message: "odd")
        let reporting: Flow<Int> = Flow<StreamEvent<Int>.Kind>.values(.reported(odd), .value(1)).dematerialize()
        #expect(text(reporting.virtualEvents()) == ["0! odd", "0:1", "0|"])
    }

    @Test func isData() throws {
        try expect(.dematerialize(onError: .drop), isText: #"{"dematerialize":{"onError":"drop"}}"#)
    }
}
