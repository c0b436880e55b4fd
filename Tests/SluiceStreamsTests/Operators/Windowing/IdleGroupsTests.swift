import SluiceJSON
import SluiceStreams
import Testing

struct IdleGroupsTests {
    @Test func anIdleGroupClosesAndOpensAgain() throws {
        let operators = #"[{"groupBy": {"key": "x % 2", "seconds": 3, "operators": [{"collect": {}}]}}]"#
        try expect("12-3------2|", operators, gives: "----'[0,[2]]'-'[1,[1,3]]'----('[0,[2]]'|)")
    }

    /// A group whose operators have ended stays until it is idle: values of its key are dropped until then.
    @Test func aGroupThatEndedIsIdleLater() throws {
        let operators = #"[{"groupBy": {"key": "0", "seconds": 2, "operators": [{"prefix": {"count": 1}}]}}]"#
        try expect("12-3---4-|", operators, gives: "'[0,1]'------'[0,4]'-|")
    }

    /// The limit counts the groups that are open.
    @Test func theLimitCountsOpenGroups() throws {
        let operators = #"[{"groupBy": {"key": "x", "seconds": 1, "limit": 1, "operators": []}}]"#
        try expect("1--2--3|", operators, gives: "'[1,1]'--'[2,2]'--'[3,3]'|")
        try expect("12|", operators, gives: "'[1,1]'#")
    }
}
