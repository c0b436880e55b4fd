import SluiceJSON
import SluiceStreams
import Testing

struct WindowWhenTests {
    @Test func valuesAndCompletionsEndAPart() throws {
        try expect(
            "1-2-3-4-|",
            #"[{"windowWhen": {"source": {"timer": {"seconds": 3}}}}]"#,
            gives: "---'[1,2]'--'[3,4]'-('[]'|)"
        )
        try expect(
            "1-2-3-4-|",
            #"[{"windowWhen": {"source": {"ref": "signal"}}}]"#,
            gives: "---'[1,2]'--'[3,4]'-('[]'|)",
            others: ["signal": "---|"]
        )
        try expect(
            "1-2-|",
            #"[{"windowWhen": {"source": {"ref": "signal"}}}]"#,
            gives: "--#",
            others: ["signal": "--#"]
        )
    }
}
