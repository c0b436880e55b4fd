import SluiceJSON
import SluiceStreams
import Testing

struct ThrottleBySourceTests {
    @Test func theStreamOfTheFirstValueEndsTheSpan() throws {
        try expect("12--3-4---5-|", #"[{"throttle": {"source": {"timer": {"seconds": 3}}}}]"#, gives: "1---3-----5-|")
        let trailing = #"[{"throttle": {"source": {"timer": {"seconds": 3}}, "leading": false, "trailing": true}}]"#
        try expect("12-----3|", trailing, gives: "---2------(3|)")
        try expect("123-|", #"[{"throttle": {"source": {"empty": {}}}}]"#, gives: "123-|")
        try expect("123-|", #"[{"throttle": {"source": {"never": {}}}}]"#, gives: "1---|")
    }
}
