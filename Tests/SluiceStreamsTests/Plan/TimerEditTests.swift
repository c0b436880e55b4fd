import SluiceJSON
import SluiceStreams
import Testing

/// An armed timer moves to the later of now and the end of the new time, counted from when it was armed.
struct TimerEditTests {
    private func edited(_ old: String, at seconds: Double, to new: String, until end: Double) throws -> String {
        let run = try StreamRun(StreamDocument(parsing: old))
        run.advance(to: try #require(StreamTime(seconds: seconds)))
        try run.edit(to: StreamDocument(parsing: new))
        run.advance(to: try #require(StreamTime(seconds: end)))
        var lines: [String] = []
        while let event = run.next() {
            switch event.kind {
            case .value(let value): lines.append("\(event.time):\(value)")
            case .completed: lines.append("\(event.time)|")
            case .failed(let error), .reported(let error): lines.append("\(event.time)#\(error.message)")
            }
        }
        run.close()
        return lines.joined(separator: " ")
    }

    /// Returns the events of an operator for 0 at 1 and 1 at 21, with its time changed.
    private func edited(_ name: String, _ old: Double, at seconds: Double, to new: Double) throws -> String {
        let document = { (time: Double) in
            #"""
            {"source": {"interval": {"seconds": 20, "first": 1, "count": 2}},
             "operators": [{"\#(name)": {"seconds": \#(time)}}]}
            """#
        }
        return try edited(document(old), at: seconds, to: document(new), until: 12)
    }

    @Test func shorterTimes() throws {
        #expect(try edited("debounce", 6, at: 2, to: 0.1) == "2:0")
        #expect(try edited("debounce", 6, at: 2, to: 4) == "5:0")
        #expect(try edited("delay", 6, at: 2, to: 0.5) == "2:0")
        #expect(try edited("delay", 6, at: 2, to: 3) == "4:0")
        #expect(try edited("audit", 6, at: 2, to: 0.5) == "2:0")
        #expect(try edited("audit", 6, at: 2, to: 3) == "4:0")
        #expect(try edited("timeout", 6, at: 2, to: 0.5) == "1:0 2#nothing came within 0.5 seconds")
        #expect(try edited("timeout", 6, at: 2, to: 3) == "1:0 4#nothing came within 3 seconds")
        #expect(try edited("sampleTime", 6, at: 2, to: 3) == "3:0")
        // The periods after it count from there, and nothing is made up for.
        #expect(
            try edited("collectByTime", 6, at: 2, to: 1) == "2:[0] 3:[] 4:[] 5:[] 6:[] 7:[] 8:[] 9:[] 10:[] 11:[] 12:[]"
        )
        #expect(try edited("windowTime", 6, at: 2, to: 3) == "3:[0] 6:[] 9:[] 12:[]")
    }

    @Test func longerTimes() throws {
        #expect(try edited("debounce", 2, at: 2, to: 6) == "7:0")
        #expect(try edited("delay", 2, at: 2, to: 6) == "7:0")
        #expect(try edited("audit", 2, at: 2, to: 6) == "7:0")
        #expect(try edited("timeout", 2, at: 2, to: 6) == "1:0 7#nothing came within 6 seconds")
        #expect(try edited("sampleTime", 3, at: 2, to: 6) == "6:0")
        #expect(try edited("collectByTime", 3, at: 2, to: 5) == "5:[0] 10:[]")
        #expect(try edited("windowTime", 3, at: 2, to: 5) == "5:[0] 10:[]")
    }

    @Test func sessions() throws {
        #expect(try edited("windowSession", 6, at: 2, to: 0.5) == "2:[0]")
        #expect(try edited("windowSession", 6, at: 2, to: 3) == "4:[0]")
        #expect(try edited("windowSession", 2, at: 2, to: 6) == "7:[0]")
    }

    /// Windows that slide: both the end of the open ones and the beginning of the next move.
    @Test func slidingWindows() throws {
        let document = { (seconds: Double, step: Double) in
            #"""
            {"source": {"interval": {"seconds": 20, "first": 1, "count": 2}},
             "operators": [{"windowTime": {"seconds": \#(seconds), "every": \#(step)}}]}
            """#
        }
        #expect(try edited(document(6, 8), at: 2, to: document(4, 5), until: 12) == "4:[0] 9:[]")
        #expect(try edited(document(6, 8), at: 2, to: document(1, 8), until: 12) == "2:[0] 9:[]")
        #expect(try edited(document(6, 8), at: 2, to: document(6, 1), until: 8.5) == "6:[0] 8:[]")
        #expect(try edited(document(2, 3), at: 1.5, to: document(5, 6), until: 12) == "5:[0] 11:[]")
        let plain = document(6, 8).replacing(#", "every": 8.0"#, with: "")
        #expect(plain != document(6, 8))
        #expect(try edited(plain, at: 2, to: document(6, 4), until: 12) == "6:[0] 10:[]")
    }

    /// The groups that are open when an edit adds the time count from the edit.
    @Test func groupsThatGetATime() throws {
        let document = { (seconds: String) in
            #"""
            {"source": {"interval": {"seconds": 20, "first": 1, "count": 2}},
             "operators": [{"groupBy": {"key": "x", "operators": [{"count": {}}]\#(seconds)}}]}
            """#
        }
        let (without, three, nine) = (document(""), document(#", "seconds": 3"#), document(#", "seconds": 9"#))
        let added = try edited(without, at: 2, to: three, until: 12)
        #expect(added == "5:[0,1]")
        let shorter = try edited(nine, at: 2, to: three, until: 12)
        #expect(shorter == "4:[0,1]")
        let removed = try edited(nine, at: 2, to: without, until: 12)
        #expect(removed == "")
    }

    @Test func sourcesOfTime() throws {
        let interval = { (text: String) in #"{"source": {"interval": {\#(text)}}}"# }
        #expect(
            try edited(interval(#""seconds": 10"#), at: 15, to: interval(#""seconds": 2"#), until: 20)
                == "10:0 15:1 17:2 19:3"
        )
        #expect(
            try edited(interval(#""seconds": 4"#), at: 5, to: interval(#""seconds": 6"#), until: 20)
                == "4:0 10:1 16:2"
        )
        #expect(
            try edited(
                interval(#""seconds": 9, "first": 8"#),
                at: 3,
                to: interval(#""seconds": 9, "first": 4"#),
                until: 9
            )
                == "4:0"
        )
        #expect(
            try edited(
                interval(#""seconds": 1, "count": 9"#),
                at: 3.5,
                to: interval(#""seconds": 1, "count": 2"#),
                until: 9
            )
                == "1:0 2:1 3:2 3.5|"
        )
        let timer = { (seconds: Int) in #"{"source": {"timer": {"seconds": \#(seconds)}}}"# }
        #expect(try edited(timer(9), at: 3, to: timer(5), until: 20) == "5:0 5|")
        #expect(try edited(timer(9), at: 3, to: timer(2), until: 20) == "3:0 3|")
    }

    @Test func aThrottledSpanEndsEarlier() throws {
        let document = { (time: Double) in
            #"""
            {"source": {"interval": {"seconds": 1}},
             "operators": [{"throttle": {"seconds": \#(time)}}]}
            """#
        }
        #expect(try edited(document(10), at: 2.5, to: document(3.5), until: 8) == "1:0 5:4")
        #expect(try edited(document(10), at: 2.5, to: document(1), until: 3) == "1:0 3:2")
    }

    @Test func theNextTryComesEarlier() throws {
        let document = { (time: String) in
            #"{"source": {"fail": {"message": "no"}}, "operators": [{"retry": {"count": 1\#(time)}}]}"#
        }
        #expect(try edited(document(#", "seconds": 10"#), at: 2, to: document(#", "seconds": 5"#), until: 20) == "5#no")
        #expect(try edited(document(#", "seconds": 10"#), at: 2, to: document(""), until: 20) == "2#no")
    }

    /// The pause before the next round moves too, and the rounds after it have the new one.
    @Test func theNextRoundComesEarlierOrLater() throws {
        let document = { (time: String) in
            #"{"source": {"values": [1]}, "operators": [{"repeat": {"count": 3\#(time)}}]}"#
        }
        let (ten, five, none) = (document(#", "seconds": 10"#), document(#", "seconds": 5"#), document(""))
        #expect(try edited(ten, at: 2, to: five, until: 30) == "0:1 5:1 10:1 10|")
        #expect(try edited(ten, at: 7, to: five, until: 30) == "0:1 7:1 12:1 12|")
        #expect(try edited(five, at: 2, to: ten, until: 30) == "0:1 10:1 20:1 20|")
        #expect(try edited(ten, at: 2, to: none, until: 30) == "0:1 2:1 2:1 2|")
    }

    @Test func allThatADelayHoldsMoves() throws {
        let document = { (time: Double) in
            #"{"source": {"interval": {"seconds": 1, "count": 4}}, "operators": [{"delay": {"seconds": \#(time)}}]}"#
        }
        #expect(try edited(document(10), at: 3.5, to: document(2), until: 20) == "3.5:0 4:1 5:2 6:3 6|")
        #expect(try edited(document(2), at: 2.5, to: document(10), until: 20) == "11:0 12:1 13:2 14:3 14|")
    }

    /// A burst that lasts keeps the time of its last value.
    @Test func aBurstCountsFromItsLastValue() throws {
        let document = { (time: Double) in
            #"{"source": {"interval": {"seconds": 1, "count": 4}}, "operators": [{"debounce": {"seconds": \#(time)}}, {"merge": {"source": {"never": {}}}}]}"#
        }
        #expect(try edited(document(5), at: 3.5, to: document(0.75), until: 20) == "3.75:2 4:3")
        #expect(try edited(document(1.5), at: 3.5, to: document(5), until: 20) == "4:3")
    }
}
