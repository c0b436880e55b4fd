import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ItemsTests {
    func events(_ items: String) throws -> [String] {
        try StreamDocument(parsing: #"{"stream": [\#(items)]}"#).virtualEvents().map(\.line)
    }

    /// An item may have any operators.
    @Test func operatorsOfItems() throws {
        #expect(
            try events(
                #"""
                {"value": 1, "operators": [{"repeat": {"count": 2, "seconds": 1}}]},
                {"value": 2, "operators": [{"filter": {"expression": "x > 2"}}, {"delay": {"seconds": 9}}]},
                {"value": 3, "operators": [{"prefix": {"count": 0}}]},
                {"value": 4, "operators": [{"delay": {"seconds": 1}}, {"append": {"values": [5]}}, {"map": {"expression": "x * 10"}}]}
                """#
            ) == [
                #"{"time": 0, "value": 1}"#, #"{"time": 1, "value": 1}"#, #"{"time": 2, "value": 40}"#,
                #"{"time": 2, "value": 50}"#, #"{"time": 2, "completed": true}"#,
            ]
        )
    }

    @Test func anItemThatFailsEndsTheStream() throws {
        #expect(
            try events(#"{"value": 0, "operators": [{"map": {"expression": "1 / x"}}]}, {"value": 2}"#) == [
                #"{"time": 0, "error": "stream[0].operators[0].map.expression: division by zero"}"#
            ]
        )
        #expect(
            try events(
                #"{"value": 0, "operators": [{"map": {"expression": "1 / x", "onError": "drop"}}]}, {"value": 2}"#
            )
                == [#"{"time": 0, "value": 2}"#, #"{"time": 0, "completed": true}"#]
        )
    }

    @Test func anItemThatNeverEndsHoldsTheRest() throws {
        #expect(
            try events(#"{"value": 0, "operators": [{"append": {"source": {"never": {}}}}]}, {"value": 2}"#) == [
                #"{"time": 0, "value": 0}"#
            ]
        )
    }
}
