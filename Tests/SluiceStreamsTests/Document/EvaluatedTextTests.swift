import SluiceExpressions
import SluiceJSON
import SluiceStreams
import Testing

/// `sluice eval` prints the value that an operator of a document gives for the same expression and item.
struct EvaluatedTextTests {
    /// Returns the value that a document with one operator gives; `nil` if it is refused or fails.
    private func streamed(_ expression: String, _ item: String) -> String? {
        let text =
            #"{"source": {"values": [\#(item)]}, "operators": [{"map": {"expression": \#(JSON.string(expression))}}]}"#
        guard let document = try? StreamDocument(parsing: text),
            let events = (try? document.virtualEvents()).map({ Array($0) }),
            case .completed? = events.last?.kind
        else { return nil }
        return events.compactMap { $0.value?.text() }.joined(separator: " ")
    }

    @Test(
        arguments: [
            ("1.0 + 1", "2.0"), ("1 + 1.0", "2.0"), ("1 - 0.5", "0.5"), ("2 * 1.5", "3.0"), ("3 / 2.0", "1.5"),
            ("3 / 2", "1"), ("1 == 1.0", "true"), ("1.0 != 1", "false"), ("1 in [1.0, 2.0]", "true"),
            ("1.5 in [1, 2]", "false"),
            ("[1, 2.0].map(n, n * 2)", "[2,4.0]"), ("true ? 1 : 2", "1"), ("'a' + 'b'", #""ab""#), ("size('añb')", "3"),
            (#"{"a": 1 + 0.5}"#, #"{"a":1.5}"#), ("-1 + 2", "1"), ("1 < 2 && 2.0 > 1", "true"), ("null", "null"),
            ("1 + 'a'", nil), ("1 == 'a'", nil), ("1.0 / 0 > 1", "true"), ("1 / 0", nil), ("true ? 1 : 'a'", nil),
            ("5 % 2.0", nil),
        ] as [(String, String?)]
    )
    func withoutBindings(_ expression: String, _ value: String?) {
        #expect(streamed(expression, "0") == value)
        #expect((try? CELExpression.evaluateJSON(expression)) == value)
        #expect((try? CELExpression.evaluateJSON(expression, bindings: #"{"x": 0}"#)) == value)
    }

    @Test(
        arguments: [
            ("x + 1", "1.5", "2.5"), ("x + 1.0", "1", "2.0"), ("x == 1", "1.0", "true"), ("x / 2", "3", "1"),
            ("x / 2", "3.0", "1.5"), ("x * 1.5", "4", "6.0"), ("x in [1, 2]", "1.0", "true"),
            ("x.a + 0.5", #"{"a": 1}"#, "1.5"),
            ("x[0] * x[1]", "[2, 1.5]", "3.0"), ("x == null", "null", "true"), ("x + '!'", #""a""#, #""a!""#),
            ("x + 1", #""a""#, nil), ("x.b", #"{"a": 1}"#, nil), ("x > 1", "2.5", "true"),
        ] as [(String, String, String?)]
    )
    func withAnItem(_ expression: String, _ item: String, _ value: String?) {
        #expect(streamed(expression, item) == value)
        #expect((try? CELExpression.evaluateJSON(expression, bindings: #"{"x": \#(item)}"#)) == value)
    }
}
