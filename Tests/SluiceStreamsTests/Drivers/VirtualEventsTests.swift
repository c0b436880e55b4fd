import SluiceStreams
import Testing

@Suite struct VirtualEventsTests {
    @Test func takesTheFirstValues() {
        #expect(text(Flow.values(1, 2, 3, 4).virtualEvents(taking: 3)) == ["0:1", "0:2", "0:3"])
        #expect(text(model([(1, [1]), (2, [1])]).virtualEvents(taking: 1)) == ["1:1"])
    }

    @Test func takingMoreThanThereIsEndsWithTheStream() {
        #expect(text(Flow.values(1).virtualEvents(taking: 2)) == ["0:1", "0|"])
    }

    @Test func takingNoneStartsNothing() {
        let flow = Flow<Int>.values(1).map { value -> Int in
            Issue.record("the stream was started")
            return value
        }
        #expect(text(flow.virtualEvents(taking: 0)) == [])
    }

    /// The run is broken off with the value that was wanted, and not first done to the end of its instant.
    @Test func nothingRunsAfterTheLastThatIsTaken() {
        let flow = Flow.values(contentsOf: Array(0..<1000)).map { value -> Int in
            if value > 2 { Issue.record("\(value) was made") }
            return value
        }
        #expect(flow.virtualEvents(taking: 3).compactMap(\.value) == [0, 1, 2])
    }

    @Test func limitIsTheLastInstant() throws {
        let second = try #require(StreamTime(seconds: 1))
        #expect(text(Flow.interval(.seconds(1)).virtualEvents(until: second)) == ["1:0"])
    }

    /// One instant after another: what is not asked for is not done.
    @Test func isLazy() {
        var iterator = Flow.interval(.seconds(1)).map { value -> Int in
            if value > 1 { Issue.record("\(value) was made") }
            return value
        }.virtualEvents().makeIterator()
        #expect(iterator.next()?.value == 0)
        #expect(iterator.next()?.value == 1)
    }

    @Test func tooManyEventsAtOneInstantNameTheBudget() {
        let events = text(
            Flow.values(contentsOf: Array(0..<10)).virtualEvents(limits: StreamLimits(eventsPerInstant: 3))
        )
        #expect(
            events == [
                "0:0", "0:1", "0:2",
                "0# more than 3 events at one instant: does something repeat without a delay?",
            ]
        )
    }

    /// The budget is that of an instant: a stream may have any number of them.
    @Test func everyInstantHasItsBudget() {
        let ticks = Flow.interval(.seconds(1), count: 100).virtualEvents(limits: StreamLimits(eventsPerInstant: 3))
        #expect(ticks.compactMap(\.value).count == 100)
    }
}
