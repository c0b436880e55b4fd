import SluiceJSON
import SluiceStreams
import Testing

@Suite struct MapErrorTests {
    func events(_ source: String, _ expression: String) throws -> [String] {
        let text = #"{"source": \#(source), "operators": [{"mapError": {"expression": "\#(expression)"}}]}"#
        return try StreamDocument(parsing: text).virtualEvents().map(\.line)
    }

    @Test func givesTheNewText() throws {
        #expect(try events(#"{"fail": "x"}"#, "'at work: ' + error") == [#"{"time": 0, "error": "at work: x"}"#])
        #expect(
            try events(#"{"values": [1]}"#, "error") == [
                #"{"time": 0, "value": 1}"#, #"{"time": 0, "completed": true}"#,
            ]
        )
        #expect(try events(#"{"empty": {}}"#, "error") == [#"{"time": 0, "completed": true}"#])
        #expect(try events(#"{"never": {}}"#, "error") == [])
    }

    @Test func anErrorOfTheExpressionIsTheError() throws {
        let found = try events(#"{"fail": "x"}"#, "string(int(error))")
        #expect(
            found == [
                #"{"time": 0, "error": "operators[0].mapError.expression: \"x\" does not read as int"}"#
            ]
        )
    }

    @Test func theExpressionAnswersText() {
        #expect(throws: JSONErrors.self) { try events(#"{"fail": "x"}"#, "1") }
    }

    @Test func aTextOnlyChanges() throws { try expect("-1#", #"[{"mapError": {"expression": "'y'"}}]"#, gives: "-1#") }

    @Test func native() {
        let flow = Flow<Int>.fail(StreamError(message: "x")).mapError { StreamError(message: "\($0)y") }
        #expect(text(flow.virtualEvents()) == ["0# xy"])
        let throwing = Flow<Int>.fail(StreamError(message: "x")).mapError { _ in throw StreamError(message: "z") }
        #expect(text(throwing.virtualEvents()) == ["0# z"])
    }
}
