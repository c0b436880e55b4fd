import SluiceJSON
import SluiceStreams
import Testing

struct SignaledResubscriptionTests {
    @Test func retriesWhenTheStreamSaysSo() throws {
        let timer = #"[{"retry": {"count": 2, "source": {"timer": {"seconds": 2}}}}]"#
        try expect("1#", timer, gives: "1--1--1#")
        try expect("1#", #"[{"retry": {"count": 2, "source": {"empty": {}}}}]"#, gives: "1|")
        try expect("1#", #"[{"retry": {"count": 2, "source": {"fail": "x"}}}]"#, gives: "1#")
        try expect("1#", #"[{"retry": {"count": 2, "source": {"values": [0, 0]}}}]"#, gives: "111#")
    }

    @Test func seesTheErrorAndTheAttempt() throws {
        let operators = #"""
            [{"retry": {"count": 9, "source": {"source": {"values": [0]}, "operators": [
                {"filter": {"expression": "attempt < 3 && error == 'error'"}}]}}}]
            """#
        try expect("1#", operators, gives: "111|")
    }

    @Test func repeatsWhenTheStreamSaysSo() throws {
        try expect("1|", #"[{"repeat": {"count": 3, "source": {"timer": {"seconds": 2}}}}]"#, gives: "1--1--1|")
        try expect(
            "1|",
            #"[{"repeat": {"source": {"source": {"values": [0]}, "operators": [{"filter": {"expression": "attempt < 3"}}]}}}]"#,
            gives: "111|"
        )
        try expect("1|", #"[{"repeat": {"count": 0, "source": {"never": {}}}}]"#, gives: "|")
    }

    @Test func withoutEndItFailsByTheBudget() throws {
        let limits = StreamLimits(eventsPerInstant: 1000)
        let text = try failure(of: nil, #"[{"repeat": {"source": {"values": [0]}}}]"#, limits: limits)
        #expect(text?.contains("more than 1000 events at one instant") == true)
    }

    @Test func ofNativeStreams() {
        let failing = Flow<Int>.fail(StreamError(message: "x")).prepend(1)
        let flow = failing.retry(5) { _, attempt in attempt < 3 ? Flow.values(0) : .empty }
        #expect(flow.virtualEvents().compactMap(\.value) == [1, 1, 1])
        #expect(
            Flow.values(1).repeat { $0 < 2 ? Flow.values(0) : .empty }.virtualEvents().compactMap(\.value) == [1, 1]
        )
    }
}
