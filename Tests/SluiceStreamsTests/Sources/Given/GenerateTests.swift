import SluiceJSON
import SluiceStreams
import Testing

@Suite struct GenerateTests {
    private func of(_ arguments: String) -> String { #"[{"flatMap": {"to": {"generate": {\#(arguments)}}}}]"# }

    @Test func whatDoesNotHoldAtFirstIsEmpty() throws {
        try expectDiagram(#"{"generate": {"initialValue": 5, "while": "x < 5", "next": "x + 1"}}"# + "\n|")
    }

    @Test func theTypeMayChange() throws {
        let json = #"{"generate": {"initialValue": 1, "while": "x < 2.0", "next": "x + 0.5"}}"#
        try expectDiagram(json + "\n(1'1.5'|)")
    }

    @Test func theItemAroundIsSeen() throws {
        let operators = of(#""initialValue": 1, "while": "x < a", "next": "x * 2""#)
        try expect("-5-2-|", operators, gives: "-(124)", leaving: 3)
    }

    @Test func anErrorFails() throws {
        #expect(
            try failure(of: "0", of(#""initialValue": 2, "while": "true", "next": "4 / (x - 2)""#))
                == "operators[0].flatMap.to.generate.next: division by zero"
        )
        #expect(
            errors(of(#""initialValue": 2, "while": "x + 1", "next": "x + 1""#))
                == ["operators[0].flatMap.to.generate.while: the expression answers int, bool is wanted"]
        )
        let unknown = errors(of(#""initialValue": 2, "while": "true", "next": "y""#))
        #expect(unknown.count == 1)
        #expect(
            unknown.first?.hasPrefix("operators[0].flatMap.to.generate.next: 'y' is not declared") == true,
            "\(unknown)"
        )
    }

    /// Freeing a deep value would need as deep a stack.
    @Test func theValueStaysShallow() throws {
        #expect(
            try failure(of: "0", of(#""initialValue": 0, "while": "true", "next": "[x]""#))
                == "operators[0].flatMap.to.generate.next: the value is nested more than \(JSONLimits.deepestValue) deep"
        )
    }

    @Test func withoutEndItFails() throws {
        let message = "more than 1000 events at one instant: does something repeat without a delay?"
        let endless = of(#""initialValue": 0, "while": "true", "next": "x""#)
        #expect(try failure(of: "0", endless, limits: StreamLimits(eventsPerInstant: 1000)) == message)
    }

    @Test func isNative() {
        let flow = Flow.generate(1, while: { $0 < 10 }, next: { $0 * 3 })
        #expect(text(flow.virtualEvents()) == ["0:1", "0:3", "0:9", "0|"])
        #expect(text(Flow.generate(1, while: { _ in true }, next: { $0 }).prefix(1).virtualEvents()) == ["0:1", "0|"])
    }
}
