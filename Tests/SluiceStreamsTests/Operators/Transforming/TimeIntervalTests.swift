import SluiceJSON
import SluiceStreams
import Testing

@Suite struct TimeIntervalTests {
    @Test func ends() throws {
        try expect("--1#", #"[{"timeInterval": {}}]"#, gives: "--'[1, 2]'#")
        try expect("--|", #"[{"timeInterval": {}}]"#, gives: "--|")
        try expect("---", #"[{"timeInterval": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"timeInterval": {}}]"#, gives: "-'[1, 1]'", leaving: 3)
    }

    @Test func theFirstCountsFromTheSubscription() throws {
        let operators = #"[{"timeInterval": {}}, {"retry": {"count": 1}}]"#
        try expect("--1-2#", operators, gives: "--'[1, 2]'-'[2, 2]'--'[1, 2]'-'[2, 2]'#")
    }

    @Test func valuesOfOneInstantAreNoTimeApart() throws {
        try expect("-(12)|", #"[{"timeInterval": {}}]"#, gives: "-('[1, 1]' '[2, 0]')|")
    }

    @Test func isNative() throws {
        let second = Duration.seconds(1)
        let flow = Flow.interval(second, count: 2).timeInterval()
        #expect(flow.virtualEvents().compactMap(\.value).map(\.interval) == [second, second])
    }

    @Test func isData() throws {
        try expect(.timeInterval, isText: #"{"timeInterval":{}}"#)
    }
}
