import SluiceJSON
import SluiceStreams
import Testing

struct WindowToggleTests {
    @Test func runsOperatorsOnEachPart() throws {
        let operators = #"""
            [{"windowToggle": {"source": {"ref": "opening"}, "until": {"timer": {"seconds": 3}},
                               "operators": [{"prefix": {"count": 1}}]}}]
            """#
        try expect("-1-2-3-4-5-|", operators, gives: "---2---4---|", others: ["opening": "--a---b--"])
        try expect("-1-#", operators, gives: "-1-#", others: ["opening": "a"])
    }

    @Test func withoutOperatorsItGivesArrays() throws {
        let operators = #"[{"windowToggle": {"source": {"ref": "opening"}, "until": {"timer": {"seconds": 3}}}}]"#
        try expect("-1-2-|", operators, gives: "---'[1,2]'-('[2]'|)", others: ["opening": "a--b"])
    }
}
