import SluiceJSON
import SluiceStreams
import Testing

/// `time:value` of each event.
func text<Value>(_ events: some Sequence<StreamEvent<Value>>) -> [String] {
    events.map { event in
        switch event.kind {
        case .value(let value): "\(event.time):\(value)"
        case .reported(let error): "\(event.time)! \(error)"
        case .completed: "\(event.time)|"
        case .failed(let error): "\(event.time)# \(error)"
        }
    }
}

func model<Value>(_ items: [(Value, [Double])]) -> StreamModel<Value> {
    StreamModel(stream: items.map { StreamItem(value: $0.0, operators: $0.1.map { .delay(seconds: $0) }) })
}

@Suite struct EngineTests {
    @Test func delaysAddUp() {
        #expect(text(model([(1, [1]), (2, [1]), (3, [0.5])]).virtualEvents()) == ["1:1", "2:2", "2.5:3", "2.5|"])
    }

    @Test func emptyStreamCompletesAtOnce() {
        #expect(text(StreamModel<Int>(stream: []).virtualEvents()) == ["0|"])
    }

    @Test func operatorsOfAnItemFollowEachOther() {
        #expect(text(model([("a", [1, 2, 0.25]), ("b", [])]).virtualEvents()) == ["3.25:a", "3.25:b", "3.25|"])
    }

    @Test func noDelayIsNow() {
        #expect(text(model([(1, []), (2, [0]), (3, [])]).virtualEvents()) == ["0:1", "0:2", "0:3", "0|"])
    }

    @Test func sumsAreExact() {
        let events = text(model((0..<10).map { ($0, [0.1]) }).virtualEvents())
        #expect(events.last == "1|")
        #expect(events[2] == "0.3:2")
    }

    @Test(arguments: [-1.5, .nan, .infinity, -.infinity, 1e9 + 1, 1e300, .greatestFiniteMagnitude])
    func delayOutOfRangeFailsTheStream(_ seconds: Double) {
        #expect(
            text(model([(1, [1]), (2, [0, seconds])]).virtualEvents()) == [
                "0# stream[1].operators[1].delay.seconds: expected a number of seconds from 0 to 1000000000, "
                    + "found \(seconds == 1e9 + 1 ? JSON.int(1_000_000_001) : .double(seconds))"
            ]
        )
    }

    @Test func overflowOfTheSumFailsTheStream() {
        let events = text(model((0..<20).map { ($0, [1e9]) }).virtualEvents())
        #expect(events.count == 10)
        #expect(
            events.last
                == "9000000000# the stream is longer than time can be counted, 292 years"
        )
    }

    @Test func everyRunIsTheSame() {
        let model = model((0..<100).map { ($0, [Double($0 % 7) / 8]) })
        #expect(text(model.virtualEvents()) == text(model.virtualEvents()))
    }
}
