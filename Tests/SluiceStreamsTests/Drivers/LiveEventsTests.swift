import Sluice
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

@Suite struct LiveEventsTests {
    let clock = TestClock()

    func host(_ items: [JSON]) -> StreamHost {
        var host = StreamHost()
        host.register("numbers") { _ in items.asynchronous }
        return host
    }

    @Test func takesTheFirstValues() async throws {
        var seen: [Int] = []
        for try await value in model([(1, []), (2, []), (3, [])]).events(taking: 2, clock: clock).map(\.value) {
            seen.append(try #require(value))
        }
        #expect(seen == [1, 2])
    }

    @Test func whatComesFromOutsideIsPassedOn() async throws {
        let document = try StreamDocument(
            parsing: #"{"source": {"outside": "numbers"}, "operators": [{"map": {"expression": "x * 2"}}]}"#
        )
        var seen: [JSON] = []
        for try await value in try document.values(host: host([1, 2, 3]), clock: clock) { seen.append(value) }
        #expect(seen == [2, 4, 6])
    }

    /// While it waits for what comes from outside, what is due is not late.
    @Test func timersAndOutsideWaitTogether() async throws {
        let (items, feed) = AsyncStream.makeStream(of: JSON.self)
        var host = StreamHost()
        host.register("numbers") { _ in items }
        let document = try StreamDocument(
            parsing: #"{"source": {"merge": [{"outside": "numbers"}, {"interval": {"seconds": 1, "count": 2}}]}}"#
        )
        var events = try document.events(host: host, clock: clock).makeAsyncIterator()
        let clock = clock
        let mover = Task {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        #expect(text([try #require(try await events.next())]) == ["1:0"])
        await mover.value
        clock.advance(by: .milliseconds(500))
        feed.yield(7)
        #expect(text([try #require(try await events.next())]) == ["1.5:7"])
        clock.advance(by: .milliseconds(500))
        #expect(text([try #require(try await events.next())]) == ["2:1"])
        feed.finish()
        #expect(text([try #require(try await events.next())]) == ["2|"])
        #expect(try await events.next() == nil)
    }

    /// A reader that shows events shows those of one instant together.
    @Test func eventsOfOneInstantFollowAtOnce() async throws {
        let document = try StreamDocument(
            parsing: #"{"source": {"concat": [{"values": [1, 2]}, {"timer": {"seconds": 1}}]}}"#
        )
        var events = try document.events(clock: clock).makeAsyncIterator()
        #expect(!events.hasEvent)
        var followed: [Bool] = []
        for _ in 1...2 {
            _ = try #require(try await events.next())
            followed.append(events.hasEvent)
        }
        #expect(followed == [true, false])
        let clock = clock
        let mover = Task {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
        }
        #expect(text([try #require(try await events.next())]) == ["1:0"])
        #expect(events.hasEvent)
        #expect(text([try #require(try await events.next())]) == ["1|"])
        #expect(!events.hasEvent)
        #expect(try await events.next() == nil)
        await mover.value
    }

    @Test func limitBreaksOffWhatWaitsForOutside() async throws {
        var host = StreamHost()
        host.register("numbers") { _ in AsyncStream<JSON> { _ in } }
        let document = try StreamDocument(parsing: #"{"source": {"outside": "numbers"}}"#)
        var events = try document.events(until: StreamTime(seconds: 3), host: host, clock: clock).makeAsyncIterator()
        let clock = clock
        let mover = Task {
            await clock.sleepers(1)
            clock.advance(by: .seconds(3))
        }
        #expect(try await events.next() == nil)
        await mover.value
    }

    @Test func argumentsReachTheSource() async throws {
        var host = StreamHost()
        host.register("sensor") { arguments in [arguments].asynchronous }
        host.register("poll") { arguments in [arguments].asynchronous }
        let sensor = try StreamDocument(
            parsing: #"{"source": {"outside": {"name": "sensor", "arguments": {"pin": 4}, "buffer": {"size": 2}}}}"#
        )
        let poll = try StreamDocument(
            parsing:
                #"{"parameters": {"u": "http://a"}, "source": {"poll": {"url": "${u}", "seconds": 5, "changes": true}}}"#
        )
        for try await value in try sensor.values(host: host) { #expect(value == ["pin": 4]) }
        for try await value in try poll.values(host: host) {
            #expect(value == ["url": "http://a", "seconds": 5, "changes": true])
        }
    }

    @Test func unknownNameIsNamed() async throws {
        let document = try StreamDocument(parsing: #"{"source": {"outside": "sensor"}}"#)
        let error = StreamError(message: #"no source is registered as "sensor" here (registered: numbers)"#)
        await #expect(throws: error) {
            for try await _ in try document.values(host: host([]), clock: clock) {}
        }
        let alone = StreamError(message: #"no source is registered as "sensor" here (registered: none is)"#)
        await #expect(throws: alone) {
            for try await _ in try document.values(clock: clock) {}
        }
    }

    @Test func failureOfTheSourceFailsTheStreamAfterItsItems() async throws {
        struct Broken: Error {}
        var host = StreamHost()
        host.register("numbers") { _, inlet in
            try await inlet.send(1)
            throw Broken()
        }
        let document = try StreamDocument(parsing: #"{"source": {"outside": "numbers"}}"#)
        var values = try document.values(host: host, clock: clock).makeAsyncIterator()
        #expect(try await values.next() == 1)
        await #expect(throws: Broken.self) { try await values.next() }
    }

    @Test func whatNoStreamCanHoldFailsTheStream() async throws {
        let document = try StreamDocument(parsing: #"{"source": {"outside": "numbers"}}"#)
        let huge = try JSON(parsing: "18446744073709551615")
        let error = StreamError(message: "the integer 18446744073709551615 does not fit into 64 bits with sign")
        await #expect(throws: error) {
            for try await _ in try document.values(host: host([huge]), clock: clock) {}
        }
    }

    @Test func cancelReachesTheSource() async throws {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        var host = StreamHost()
        host.register("numbers") { _, inlet in
            start.finish()
            await withTaskCancellationHandler {
                for await _ in AsyncStream<Void>.makeStream().stream {}
            } onCancel: {
                end.yield(true)
            }
        }
        let document = try StreamDocument(parsing: #"{"source": {"outside": "numbers"}}"#)
        let events = try document.values(host: host, clock: clock)
        let task = Task { for try await _ in events {} }
        for await _ in started {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        var isCanceled = ended.makeAsyncIterator()
        #expect(await isCanceled.next() == true)
    }

    /// A reader that has what it wants lets the source go, though it holds the iterator.
    @Test func enoughReachesTheSource() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        var host = StreamHost()
        host.register("numbers") { _, inlet in
            defer { end.finish() }
            for number in Int64(0)... { try await inlet.send(.int(number)) }
        }
        let document = try StreamDocument(
            parsing: #"{"source": {"outside": "numbers"}, "operators": [{"prefix": {"count": 2}}]}"#
        )
        var events = try document.events(host: host, clock: clock).makeAsyncIterator()
        var seen: [StreamEvent<JSON>] = []
        while let event = try await events.next() { seen.append(event) }
        #expect(text(seen) == ["0:0", "0:1", "0|"])
        for await _ in ended {}
        withExtendedLifetime(events) {}
    }

    @Test func virtualTimeHasNoOutside() throws {
        let document = try StreamDocument(parsing: #"{"source": {"lines": "-"}}"#)
        #expect(
            text(try document.virtualEvents()) == [
                "0# the source lines is of the outside world, which virtual time does not have: "
                    + "let an input of a test stand in for it"
            ]
        )
    }

    /// The input of a test replaces a source, by the name of the source or by its address.
    @Test(arguments: ["lines", "a.txt"])
    func anInputStandsIn(_ name: String) throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"lines": "a.txt"}, "operators": [{"map": {"expression": "x + '!'"}}],
                 "tests": [{"inputs": {"\#(name)": "-a-b|"}, "expect": "-'a!'-'b!'|"}]}
                """#
        )
        #expect(try document.outcome(of: document.tests[0]).isPassed)
    }
}

extension Array where Element: Sendable {
    /// The elements as an async sequence.
    var asynchronous: AsyncStream<Element> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}
