import SluiceJSON
import SluiceStreams
import Testing

@Suite struct RangeTests {
    private func of(_ arguments: String) -> String { #"[{"flatMap": {"to": {"range": \#(arguments)}}}]"# }

    @Test func comesAtOnce() throws {
        try expectDiagram("{\"range\": {\"count\": 3}}\n(012|)")
        try expectDiagram("{\"range\": {\"from\": -2, \"count\": 2}}\n('-2' '-1'|)")
        try expectDiagram("{\"range\": {\"from\": 5, \"count\": 0}}\n|")
        #expect(try output(of: "0", of(#"{"from": 9223372036854775806, "count": 1}"#)) == 9_223_372_036_854_775_806)
    }

    @Test func whatIsNoRangeIsAnError() {
        #expect(
            errors(of(#"{"from": 1.5, "count": 1}"#))
                == ["operators[0].flatMap.to.range.from: expected a whole number, found double"]
        )
        #expect(
            errors(of(#"{"from": 9223372036854775807, "count": 1}"#))
                == ["operators[0].flatMap.to.range.count: the last number does not fit into 64 bits"]
        )
        #expect(
            errors(of(#"{"count": -1}"#))
                == ["operators[0].flatMap.to.range.count: expected a whole number from 0 to 2147483647, found -1"]
        )
    }

    @Test func aLargeOneEndsAtTheLimit() throws {
        let message = "more than 1000 events at one instant: does something repeat without a delay?"
        let limits = StreamLimits(eventsPerInstant: 1000)
        #expect(try failure(of: "0", of(#"{"count": 2000000000}"#), limits: limits) == message)
    }

    @Test func isNative() {
        #expect(text(Flow.range(2..<4).virtualEvents()) == ["0:2", "0:3", "0|"])
        #expect(text(Flow.range(0..<Int.max).prefix(1).virtualEvents()) == ["0:0", "0|"])
    }
}
