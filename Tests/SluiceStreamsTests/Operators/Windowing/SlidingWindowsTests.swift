import SluiceJSON
import SluiceStreams
import Testing

struct SlidingWindowsTests {
    @Test func overlapOrLeaveValuesOut() throws {
        try expect(
            "1-2-3-4|",
            #"[{"windowTime": {"seconds": 4, "every": 2}}]"#,
            gives: "----'[1,2]'-'[2,3,4]'('[4]' '[]'|)"
        )
        try expect("123456-|", #"[{"windowTime": {"seconds": 1, "every": 3}}]"#, gives: "-'[1]'--'[4,5]'--('[]'|)")
    }

    @Test func aStepOfTheLengthIsAsWithoutOne() throws {
        let all = #"[{"windowTime": {"seconds": 3, "operators": [{"collect": {}}]}}]"#
        let sliding = #"[{"windowTime": {"seconds": 3, "every": 3, "operators": [{"collect": {}}]}}]"#
        for operators in [all, sliding] {
            try expect("-1--2-|", operators, gives: "---'[1]'--('[2]'|)")
        }
    }
}
