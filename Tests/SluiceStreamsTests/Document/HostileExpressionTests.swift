import SluiceJSON
import Testing

@testable import SluiceStreams

struct HostileExpressionTests {
    private func errors(_ expressions: [String], _ parameters: String = "{}") throws -> [JSONError] {
        let operators = expressions.map { #"{"filter": {"expression": \#(JSON.string($0))}}"# }.joined(separator: ",")
        let text = #"{"source": {"of": {"values": ["a"]}}, "parameters": \#(parameters), "operators": [\#(operators)]}"#
        return try StreamDocument(preserving: Array(text.utf8)).errors?.errors ?? []
    }

    private static func repeated(_ part: String, _ count: Int) -> String {
        Array(repeating: part, count: count).joined(separator: "||")
    }

    /// The document of 195 KB that took a hub to 4.5 GB.
    @Test func theHostileDocumentIsRefused() throws {
        let expression = Self.repeated("x.matches('(.{99}){99}')", 2400)
        let found = try errors([expression, expression, expression])
        #expect(found.first?.message.hasPrefix("the regular expression has a repetition beyond 1000") == true)
        let other = Self.repeated("x.matches('(.{31}){31}')", 2400)
        #expect(try errors([other, other, other]).first?.message.contains("more than 100000 steps") == true)
    }

    /// Expressions that are each within the limits may exceed them together.
    @Test func theBudgetIsThatOfTheDocument() throws {
        let expression = Self.repeated("x.matches('(.{31}){31}')", 90)
        #expect(try errors([expression]).isEmpty)
        let found = try errors(Array(repeating: expression, count: 10))
        #expect(found.count == 1)
        #expect(found.first?.message == "the regular expressions have more than 400000 steps in all")
        #expect(found.first?.path.description.contains("operators") == true)
        let nodes = "x" + String(repeating: " + x", count: 90)
        let many = "[" + Array(repeating: nodes, count: 50).joined(separator: ",") + "].size() > 0"
        #expect(
            try errors(Array(repeating: many, count: 20)).map(\.message) == [
                "the expressions have more than 100000 nodes in all"
            ]
        )
    }

    @Test func aParameterDoesNotBlowUpAnExpression() throws {
        let long = JSON.string(String(repeating: "p", count: 100_000))
        let text = "x == " + Array(repeating: "${p}", count: 10_000).joined(separator: "+")
        let found = try errors([text], #"{"p": \#(long)}"#)
        #expect(found.map(\.message) == ["the expression has more than 65536 bytes with its parameters"])
    }
}
