#if Hub
import NIOCore
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

@Suite struct EventBusTests {
    private let bus = EventBus(timer: CallTimer.of(TestClock()), hub: "h")

    private func subscribe(_ interest: EventBus.Interest = .init(), after last: String? = nil) throws -> Subscriber {
        Subscriber(try #require(bus.subscribe(interest, after: last)))
    }

    private func begin(_ stream: String, run: Int = 1) {
        var status = RunStatus(stream: stream, pace: Pace(at: 0))
        (status.run, status.state) = (run, .running)
        bus.publish(status, isNew: true)
    }

    private func tell(_ stream: String, _ values: ClosedRange<Int>) throws {
        for value in values {
            let time = try #require(StreamTime(seconds: Double(value)))
            bus.publish([.init(event: "value", data: #"{"value": \#(value)}"#, time: time)], of: stream)
        }
    }

    @Test func whoComesBackHearsWhatCameMeanwhile() async throws {
        begin("a")
        try tell("a", 1...3)
        let first = try subscribe()
        _ = try await first.next("run")
        #expect(try await first.next("value").data["value"] == 1)
        let last = try #require(try await first.next("value").id)
        let second = try subscribe(after: last)
        #expect(try await second.next() == .init(id: "h-4", name: "value", data: ["value": 3]))
        bus.publish("changed", #"{"id": "a"}"#, of: "a")
        #expect(try await second.next()?.name == "changed")
    }

    /// Publishes the running statuses of two streams on a bus with a clock of its own.
    private func busOfTwoRuns() -> (EventBus, TestClock) {
        let clock = TestClock()
        let bus = EventBus(timer: CallTimer.of(clock), hub: "h")
        for stream in ["a", "b"] { bus.publish(running(stream), isNew: true) }
        return (bus, clock)
    }

    private func running(_ stream: String) -> RunStatus {
        var status = RunStatus(stream: stream, pace: Pace(at: 0))
        (status.run, status.state) = (1, .running)
        return status
    }

    /// Subscribers that connect within a second share the status texts. Each receives the time of its own subscription, and the
    /// bus releases the texts once both have read them, although both stay connected.
    @Test func subscribersShareTheTextsOfStatuses() async throws {
        let (bus, clock) = busOfTwoRuns()
        let first = try #require(bus.subscribe(.init(), after: nil))
        clock.advance(by: .milliseconds(500))
        let second = try #require(bus.subscribe(.init(), after: nil))
        #expect(bus.sharedStatusCount == 0)
        var iterators = [first.events.makeAsyncIterator(), second.events.makeAsyncIterator()]
        var texts: [String] = []
        for index in [0, 1] {
            texts.append(String(buffer: try #require(await iterators[index].nextBatch())))
            #expect(bus.sharedStatusCount == 2)
        }
        #expect(texts[0].contains(#""time":0,"#) && texts[1].contains(#""time":0.5,"#))
        #expect(texts[0] == texts[1].replacing(#""time":0.5,"#, with: #""time":0,"#))
        bus.publish("changed", "{}", of: "a")
        for index in [0, 1] { _ = await iterators[index].nextBatch() }
        #expect(bus.sharedStatusCount == nil)
        withExtendedLifetime((first, second)) {}
    }

    /// The texts that a slow reader holds do not grow with later subscriptions.
    @Test func laterSubscribersShareOtherTexts() async throws {
        let (bus, clock) = busOfTwoRuns()
        let slow = try #require(bus.subscribe(.init(), after: nil))
        var iterator = slow.events.makeAsyncIterator()
        _ = await iterator.next()
        #expect(bus.sharedStatusCount == 1)
        clock.advance(by: .seconds(1))
        let later = try #require(bus.subscribe(.init(), after: nil))
        #expect(bus.sharedStatusCount == 0)
        withExtendedLifetime((iterator, later)) {}
    }

    /// A status that is published between two subscriptions that share texts reaches each of them once, in its place.
    @Test func aStatusBetweenSubscriptionsIsThatOfTheLater() async throws {
        let (bus, _) = busOfTwoRuns()
        let first = try #require(bus.subscribe(.init(streams: ["a"]), after: nil))
        var paused = running("a")
        paused.state = .paused
        bus.publish(paused)
        let second = try #require(bus.subscribe(.init(streams: ["a"]), after: nil))
        // The later history is encoded first.
        var (later, earlier) = (second.events.makeAsyncIterator(), first.events.makeAsyncIterator())
        let states = [
            String(buffer: try #require(await later.nextBatch())),
            String(buffer: try #require(await earlier.nextBatch())),
        ].map { text in text.matches(of: /"state":"([a-z]+)"/).map { String($0.1) } }
        #expect(states == [["paused"], ["running", "paused"]])
    }

    /// A history that is encoded late has the status of its own time.
    @Test func eachHistoryHasTheStatusOfItsTime() throws {
        let texts = StatusTexts(from: 0)
        var status = RunStatus(stream: "a", pace: Pace(at: 0))
        for (number, state) in [(2, RunState.running), (1, .idle), (2, .running), (3, .failed)] as [(UInt64, RunState)]
        {
            status.state = state
            #expect(texts.text(of: status, number).text(at: .zero) == status.json(at: 0).description)
        }
        #expect(texts.count == 1)
    }

    /// A connection is written to a few times, not once for each value of a fast run.
    @Test func eventsThatWaitAreReadTogether() async throws {
        begin("a")
        try tell("a", 1...3)
        var events = try #require(bus.subscribe(.init(), after: nil)).events.makeAsyncIterator()
        try tell("a", 4...1000)
        var texts: [String] = []
        while texts.last?.contains(#"{"value": 1000}"#) != true {
            texts.append(String(buffer: try #require(await events.nextBatch(upTo: 20_000))))
        }
        #expect((2...10).contains(texts.count) && texts.allSatisfy { $0.utf8.count < 21_000 })
        let values = texts.joined().split(separator: "\n").compactMap { line in
            line.split(separator: #"{"value": "#).last.flatMap { Int($0.dropLast()) }
        }
        #expect(values == Array(1...1000))
        bus.publish("changed", #"{"id": "a"}"#, of: "a")
        #expect(String(buffer: try #require(await events.nextBatch())).contains("changed"))
    }

    @Test(arguments: ["other-3", "h-99", "h-", "3", "h-x", "", "h--1"])
    func anUnknownIDBeginsAnew(_ id: String) async throws {
        begin("a")
        try tell("a", 1...2)
        let subscriber = try subscribe(after: id)
        #expect(try await subscriber.next()?.name == "run")
        #expect(try await subscriber.next("value").data["value"] == 1)
    }

    @Test func aRunThatWasBegunAnewIsToldWhole() async throws {
        begin("a")
        try tell("a", 1...3)
        begin("a", run: 2)
        try tell("a", 7...7)
        let subscriber = try subscribe(after: "h-2")
        #expect(try await subscriber.next()?.data["run"] == 2)
        #expect(try await subscriber.next()?.data["value"] == 7)
    }

    @Test func ofALongRunTheLastIsKept() async throws {
        begin("a")
        try tell("a", 1...10_000)
        let subscriber = try subscribe()
        #expect(try await subscriber.next()?.name == "run")
        let gap = try await subscriber.next("gap").data
        #expect(gap["stream"] == "a")
        var seen: [Int] = []
        while seen.last != 10_000 { seen.append(try #require(try await subscriber.next("value").data["value"]?.int)) }
        #expect(gap["before"]?.int == seen[0])
        #expect(seen == Array(seen[0]...10_000))
        #expect((EventBus.kept...EventBus.kept * 3 / 2).contains(seen.count))
    }

    @Test func listenersHearWhatTheyAskedFor() async throws {
        begin("a")
        begin("b")
        let quiet = try subscribe(.init(values: []))
        let one = try subscribe(.init(streams: ["b"]))
        let some = try subscribe(.init(values: ["a"]))
        try tell("a", 1...1)
        try tell("b", 2...2)
        bus.publish("removed", #"{"id": "b"}"#, of: "b")
        bus.close()
        func names(_ subscriber: Subscriber) async throws -> [String] {
            var names: [String] = []
            while let event = try await subscriber.next() { names.append(event.name) }
            return names
        }
        #expect(try await names(quiet) == ["run", "run", "removed"])
        #expect(try await names(one) == ["run", "value", "removed"])
        #expect(try await names(some) == ["run", "run", "value", "removed"])
        #expect(bus.subscribe(.init(), after: nil) == nil)
    }

    /// The events of before a subscription come whole, however many there are: they wait for no room. The reader writes them
    /// itself, when it comes to them.
    @Test func theHistoryOfManyRunsIsWhole() async throws {
        let count = EventBus.backlog + EventBus.kept + 100
        for number in 0..<count { begin("s\(number)") }
        let subscriber = try subscribe(.init(values: []))
        bus.publish("removed", #"{"id": "s0"}"#, of: "s0")
        var streams: Set<String> = []
        while let event = try await subscriber.next(), event.name == "run" {
            streams.insert(try #require(event.data["stream"]?.string))
        }
        #expect(streams.count == count)
    }

    @Test func aSlowReaderIsDroppedAndOthersDoNotWait() async throws {
        begin("a")
        let slow = try subscribe()
        let fast = try subscribe()
        var heard = 0
        for value in 1...(EventBus.backlog + EventBus.kept + 10) {
            try tell("a", value...value)
            _ = try await fast.next("value")
            heard += 1
        }
        #expect(heard == EventBus.backlog + EventBus.kept + 10)
        #expect(slow.subscription.isSlow && !fast.subscription.isSlow)
        #expect(bus.subscriberCount == 1)
        var last: Subscriber.Event?
        while let event = try await slow.next() { last = event }
        #expect(last?.data["value"]?.int == EventBus.backlog + EventBus.kept)
    }

    @Test func whoLeavesIsForgotten() async throws {
        let subscription = try #require(bus.subscribe(.init(), after: nil))
        let task = Task { for await _ in subscription.events {} }
        task.cancel()
        await task.value
        #expect(bus.subscriberCount == 0)
    }

    // MARK: Byte budgets

    private func tell(_ bus: EventBus, _ stream: String, bytes: Int, _ times: ClosedRange<Int>) throws {
        for number in times {
            let time = try #require(StreamTime(seconds: Double(number)))
            let text = String(repeating: "a", count: bytes)
            let data = #"{"value": \#(number), "text": "\#(text)"}"#
            bus.publish([.init(event: "value", data: data, time: time)], of: stream)
        }
    }

    private func bus(
        ring: Int = 8 << 20,
        rings: Int = 64 << 20,
        backlog: Int = 8 << 20,
        backlogs: Int = 64 << 20,
        streams: [String] = ["a"]
    ) -> EventBus {
        var limits = HubLimits()
        (limits.eventRing, limits.eventRings) = (ring, rings)
        (limits.backlog, limits.backlogs) = (backlog, backlogs)
        let bus = EventBus(timer: CallTimer.of(TestClock()), hub: "h", limits: limits)
        for stream in streams {
            var status = RunStatus(stream: stream, pace: Pace(at: 0))
            (status.run, status.state) = (1, .running)
            bus.publish(status, isNew: true)
        }
        return bus
    }

    /// The rings of all runs are bounded together: beyond the bound, a run that emits keeps at most its share.
    @Test func allRingsAreBoundedTogether() async throws {
        let streams = (1...100).map { "s\($0)" }
        let bus = bus(ring: 100_000, rings: 1_000_000, streams: streams)
        for _ in 1...3 {
            for stream in streams { try tell(bus, stream, bytes: 1000, 1...40) }
        }
        #expect(bus.ringByteCount <= 1_100_000 && bus.ringByteCount > 500_000)
        // One that was removed, or began again, returns its bytes.
        for stream in streams.dropFirst() { bus.forget(stream) }
        #expect(bus.ringByteCount <= 100_000)
        try tell(bus, "s1", bytes: 1000, 1...200)
        #expect(bus.ringByteCount > 50_000)
        bus.forgetValues(of: "s1")
        #expect(bus.ringByteCount == 0)
        #expect(HubLimits().eventRings == 64 << 20 && HubLimits().backlogs == 64 << 20)
    }

    /// The backlogs of all subscribers are bounded together: beyond the bound, those with more than their share are
    /// dropped, and those that read are not.
    @Test func allBacklogsAreBoundedTogether() async throws {
        let bus = bus(backlog: 1_000_000, backlogs: 500_000)
        let slow = try (1...20).map { _ in try #require(bus.subscribe(EventBus.Interest(), after: nil)) }
        let quick = Subscriber(try #require(bus.subscribe(EventBus.Interest(), after: nil)))
        for number in 1...100 {
            try tell(bus, "a", bytes: 10_000, number...number)
            #expect(try await quick.next("value").data["value"]?.int == number)
            #expect(bus.backlogs.byteCount <= 520_000)
        }
        #expect(slow.allSatisfy(\.isSlow) && !quick.subscription.isSlow && bus.subscriberCount == 1)
        let farewell = try #require(slow.first?.farewell)
        #expect(String(buffer: farewell).contains("more than 500000 bytes for all subscribers"))
        // Reading returns the bytes.
        for each in slow { for await _ in each.events {} }
        #expect(bus.backlogs.byteCount <= 10_500)
    }

    /// Every kind of interest receives the events that it includes, and no others.
    @Test func eachInterestReceivesWhatItIncludes() async throws {
        let streams = ["a", "b", "c"]
        let choices: [Set<String>?] = [nil, [], ["a"], ["b", "c"]]
        let bus = bus(streams: streams)
        let subscribers = try choices.flatMap { streams in
            try choices.map { values in
                let interest = EventBus.Interest(streams: streams, values: values)
                return (interest, try #require(bus.subscribe(interest, after: "h-3")))
            }
        }
        for stream in streams {
            try tell(bus, stream, bytes: 1, 1...1)
            bus.publish("changed", #"{"id": "\#(stream)"}"#, of: stream)
        }
        bus.close()
        for (interest, subscription) in subscribers {
            var received: [String] = []
            for await bytes in subscription.events {
                received.append(String(buffer: bytes).contains("event: value") ? "value" : "changed")
            }
            var expected: [String] = []
            for stream in streams where interest.streams?.contains(stream) ?? true {
                if interest.wantsValues(of: stream) { expected.append("value") }
                expected.append("changed")
            }
            #expect(received == expected, "\(interest)")
        }
    }

    /// The oldest events are dropped if they take too many bytes, and a subscriber is notified.
    @Test func ofLargeEventsFewAreKept() async throws {
        let bus = bus(ring: 100_000)
        try tell(bus, "a", bytes: 10_000, 1...500)
        #expect(bus.ringByteCount <= 100_000 && bus.ringByteCount > 50_000)
        let subscriber = Subscriber(try #require(bus.subscribe(EventBus.Interest(), after: nil)))
        let gap = try await subscriber.next("gap").data
        #expect(gap["stream"] == "a" && gap["reason"] == "more than 100000 bytes")
        #expect(try await subscriber.next("value").data["value"] == gap["before"])
        // One that is larger than all that may be kept is not kept either.
        try tell(bus, "a", bytes: 200_000, 501...501)
        #expect(bus.ringByteCount == 0)
        #expect(HubLimits().eventRing == 8 << 20 && HubLimits().backlog == 8 << 20)
    }

    /// A subscriber that reads nothing is cut off by the bytes that wait for it; one that reads is not.
    @Test func aSubscriberIsCutOffByBytes() async throws {
        let bus = bus(ring: 1000, backlog: 100_000)
        let slow = Subscriber(try #require(bus.subscribe(EventBus.Interest(), after: nil)))
        let quick = Subscriber(try #require(bus.subscribe(EventBus.Interest(), after: nil)))
        for number in 1...100 {
            try tell(bus, "a", bytes: 10_000, number...number)
            #expect(try await quick.next("value").data["value"]?.int == number)
        }
        #expect(slow.subscription.isSlow && !quick.subscription.isSlow)
        #expect(bus.subscriberCount == 1 && bus.counts.dropped == 1)
        let farewell = try #require(slow.subscription.farewell)
        #expect(String(buffer: farewell).contains("too many events were waiting: more than 100000 bytes"))
        var count = 0
        while try await slow.next() != nil { count += 1 }
        #expect(count <= 11)
    }

    /// Events that are kept anyway don't count for a subscriber.
    @Test func whatIsKeptIsHeardWhole() async throws {
        let bus = bus(ring: 1_000_000, backlog: 1000)
        try tell(bus, "a", bytes: 10_000, 1...50)
        let subscriber = Subscriber(try #require(bus.subscribe(EventBus.Interest(), after: nil)))
        for number in 1...50 { #expect(try await subscriber.next("value").data["value"]?.int == number) }
        #expect(!subscriber.subscription.isSlow)
    }
}
#endif
