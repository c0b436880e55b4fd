#if Command
import SluiceTestSupport
import Testing

@testable import SluiceCommand

@Suite(.timeLimit(.minutes(30))) struct EvalTests {
    @Test(arguments: [
        ("1 + 2", "{}", "3"), ("x % 2 == 0", #"{"x": 4}"#, "true"), ("name + '!'", #"{"name": "Ada"}"#, #""Ada!""#),
        ("b'abc'", "{}", #""YWJj""#), ("duration('90s')", "{}", #""90s""#), ("0.0 / 0.0", "{}", #""NaN""#),
        ("type(1)", "{}", #""int""#), ("[1, 2].map(x, x * 2)", "{}", "[2,4]"),
        ("-1 + 2", "{}", "1"), ("-x", #"{"x": 4}"#, "-4"), ("--1 == 1", "{}", "true"),
        ("x * 1.5", #"{"x": 4}"#, "6.0"), ("x == 1", #"{"x": null}"#, "false"),
        ("1.0 + 1", "{}", "2.0"), ("1 == 1.0", "{}", "true"),
    ])
    func printsTheValue(_ expression: String, _ bindings: String, _ value: String) async throws {
        let outcome = try await Tool.sluice.run(["eval", expression, "--bindings", bindings])
        #expect(outcome.output == value + "\n")
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }

    @Test(arguments: [
        ("1 +", "{}"), ("y", "{}"), ("1 / 0", "{}"), ("x", "[]"), ("x", "{"), ("1 == 'a'", "{}"), ("1.0 + 'a'", "{}"),
        (String(repeating: "(", count: 100_000), "{}"), ("9223372036854775807 + 1", "{}"),
        ("x", #"{"x": 99999999999999999999}"#),
    ])
    func everyFailureIsAnError(_ expression: String, _ bindings: String) async throws {
        let outcome = try await Tool.sluice.run(["eval", expression, "--bindings", bindings])
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(!outcome.errors.isEmpty && outcome.errors.utf8.count < 2000)
    }

    @Test(arguments: [
        (["eval", "-1 + 2"], ["eval", "--", "-1 + 2"]),
        (["eval", "-x", "--bindings", "{}"], ["eval", "--bindings", "{}", "--", "-x"]),
        (["eval", "--bindings", "-1", "--x"], ["eval", "--bindings", "-1", "--", "--x"]),
        (["eval", "--bindings={}", "x"], ["eval", "--bindings={}", "x"]), (["eval", "--help"], ["eval", "--help"]),
        (["eval", "--", "-1"], ["eval", "--", "-1"]), (["run", "-"], ["run", "-"]), ([], []),
    ])
    func anExpressionMayBeginWithAMinus(_ arguments: [String], _ separated: [String]) {
        #expect(EvalArguments.separated(arguments) == separated)
    }
}
#endif
