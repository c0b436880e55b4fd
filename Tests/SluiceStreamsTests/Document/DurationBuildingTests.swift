import SluiceJSON
import SluiceStreams
import Testing

/// A duration in Swift is a number of seconds in the document.
@Suite struct DurationBuildingTests {
    private func text(_ item: Operator) throws -> String { try SluiceJSONEncoder().text(item) }

    @Test func operatorsTakeDurations() throws {
        let half = Duration.milliseconds(500)
        let pairs: [(Operator, Operator)] = [
            (.delay(for: half), .delay(seconds: 0.5)), (.debounce(for: half), .debounce(seconds: 0.5)),
            (.throttle(for: half, trailing: true), .throttle(seconds: 0.5, trailing: true)),
            (.audit(for: half), .audit(seconds: 0.5)), (.sample(every: half), .sampleTime(seconds: 0.5)),
            (.timeout(half), .timeout(seconds: 0.5)), (.collect(every: half), .collectByTime(seconds: 0.5)),
            (.retry(2, delay: half), .retry(2, seconds: 0.5)), (.repeat(2, delay: half), .repeat(2, seconds: 0.5)),
            (.window(lasting: half, every: .seconds(1)), .windowTime(seconds: 0.5, every: 1)),
            (.window(withGap: half), .windowSession(seconds: 0.5)),
        ]
        for (item, expected) in pairs { #expect(try text(item) == text(expected)) }
    }

    @Test func modelsTakeDurations() throws {
        let half = Duration.milliseconds(500)
        let one = StreamModel.values(1)
        let pairs: [(StreamModel<Int>, StreamModel<Int>)] = [
            (one.delay(for: half), one.delay(seconds: 0.5)), (one.debounce(for: half), one.debounce(seconds: 0.5)),
            (one.throttle(for: half), one.throttle(seconds: 0.5)), (one.audit(for: half), one.audit(seconds: 0.5)),
            (one.sample(every: half), one.sampleTime(seconds: 0.5)), (one.timeout(half), one.timeout(seconds: 0.5)),
            (one.timeout(half, else: one), one.timeout(seconds: 0.5, else: one)),
            (one.retry(2, delay: half), one.retry(2, seconds: 0.5)),
            (one.repeat(2, delay: half), one.repeat(2, seconds: 0.5)),
        ]
        for (model, expected) in pairs { #expect(model.operators == expected.operators) }
        #expect(one.collect(every: half).operators == one.collectByTime(seconds: 0.5).operators)
        #expect(one.window(lasting: half).operators == one.windowTime(seconds: 0.5).operators)
        #expect(one.window(withGap: half).operators == one.windowSession(seconds: 0.5).operators)
        #expect(StreamModel.interval(half, count: 2).source == StreamModel.interval(seconds: 0.5, count: 2).source)
        #expect(StreamModel.timer(half).source == StreamModel.timer(seconds: 0.5).source)
    }

    /// Durations outside of what a run can count are the nearest in it.
    @Test(arguments: [(Duration.seconds(-1), "0:1"), (.nanoseconds(1), "0.000000001:1"), (.zero, "0:1")])
    func extremeDurations(_ duration: Duration, _ event: String) {
        let events = Flow.values(1).delay(for: duration).virtualEvents()
        #expect(events.map { "\($0.time):\($0.value ?? 1)" }.first == event)
        #expect(Flow.values(1).delay(for: .seconds(Int64.max)).virtualEvents().compactMap(\.value).count <= 1)
    }
}
