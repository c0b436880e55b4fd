import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceStreams

@Suite struct StreamRuntimeTests {
    let clock = TestClock()

    func seconds(_ seconds: Double) -> Duration { .seconds(seconds) }

    @Test func valuesComeInOrderThenTheEnd() async throws {
        let runtime = StreamRuntime(clock: clock)
        let seen = Locked<[String]>([])
        let call = runtime.observe(Flow.values(1, 2, 3)) { value in seen.withLock { $0.append("\(value)") } }
        call.onCompleted { seen.withLock { $0.append("over") } }
        try await call.value
        #expect(seen.withLock { $0 } == ["1", "2", "3", "over"])
    }

    @Test func eventsBearTheTimeSinceTheStreamBegan() async throws {
        let runtime = StreamRuntime(clock: clock)
        clock.advance(by: .seconds(5))
        let seen = Locked<[StreamEvent<Int>]>([])
        let call = runtime.observe(events: model([(1, [1]), (2, [1])]).flow) { event in
            seen.withLock { $0.append(event) }
        }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await call.value
        #expect(text(seen.withLock { $0 }) == ["1:1", "2:2", "2|"])
    }

    @Test func everyStreamHasItsTimesAndOneTaskServesThem() async throws {
        let runtime = StreamRuntime(clock: clock)
        let seen = Locked<[String]>([])
        for (name, delay) in [("c", 3.0), ("a", 1), ("b", 2)] {
            runtime.observe(Flow.values(name).delay(for: seconds(delay))) { name in
                seen.withLock { $0.append(name) }
            }
        }
        for expected in [["a"], ["a", "b"]] {
            while clock.untilNext != .seconds(1) { await clock.sleepers(1) }
            #expect(runtime.taskCount == 1)
            clock.advance(by: .seconds(1))
            while seen.withLock({ $0.count }) < expected.count { await Task.yield() }
            #expect(seen.withLock { $0 } == expected)
        }
    }

    /// While the one task sleeps, a stream that is due sooner wakes it.
    @Test func aStreamThatIsDueSoonerIsNotLate() async throws {
        let runtime = StreamRuntime(clock: clock)
        runtime.observe(Flow.values(1).delay(for: seconds(100))) { _ in }
        await clock.sleepers(1)
        let call = runtime.observe(Flow.values(2).delay(for: seconds(1))) { _ in }
        while clock.untilNext != .seconds(1) { await Task.yield() }
        clock.advance(by: .seconds(1))
        try await call.value
        #expect(runtime.taskCount == 1)
    }

    @Test func errorEndsTheCall() async throws {
        struct Broken: Error {}
        let runtime = StreamRuntime(clock: clock)
        let call = runtime.observe(Flow<Int>.fail(Broken())) { _ in Issue.record("a value") }
        await #expect(throws: Broken.self) { try await call.value }
        let limited = runtime.observe(Flow.values(1, 2, 3), limits: StreamLimits(eventsPerInstant: 1)) { _ in }
        await #expect(throws: StreamError.self) { try await limited.value }
    }

    @Test func cancelStopsTheRun() async throws {
        let runtime = StreamRuntime(clock: clock)
        let count = Locked(0)
        let call = runtime.observe(Flow.interval(seconds(1))) { _ in count.withLock { $0 += 1 } }
        await clock.sleepers(1)
        call.cancel()
        let ending = Locked<[String]>([])
        call.onCanceled { ending.withLock { $0.append("canceled") } }.defer { ending.withLock { $0.append("over") } }
        #expect(ending.withLock { $0 } == ["canceled", "over"])
        // Nothing is due any more: the task goes.
        while runtime.taskCount > 0 { await Task.yield() }
        clock.advance(by: .seconds(10))
        #expect(count.withLock { $0 } == 0)
    }

    /// From within the delivery of a value: none follows.
    @Test func cancelFromAValueIsTheLast() async throws {
        let runtime = StreamRuntime(clock: clock)
        let seen = Locked<[Int]>([])
        let call = Locked<Observer<Void>?>(nil)
        let gate = Flow.values(contentsOf: Array(0..<100)).delay(for: seconds(1))
        let observer = runtime.observe(gate) { value in
            seen.withLock { $0.append(value) }
            if value == 2 { _ = call.withLock { $0 }?.cancel() }
        }
        call.withLock { $0 = observer }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await #expect(throws: CancellationError.self) { try await observer.value }
        while runtime.taskCount > 0 { await Task.yield() }
        #expect(seen.withLock { $0 } == [0, 1, 2])
    }

    /// The first to come and the last to leave: with nothing to do there is no task, and the next starts one.
    @Test func withNothingDueThereIsNoTask() async throws {
        let runtime = StreamRuntime(clock: clock)
        #expect(runtime.taskCount == 0)
        for _ in 0..<3 {
            try await runtime.observe(Flow.values(1)) { _ in }.value
            while runtime.taskCount > 0 { await Task.yield() }
        }
        runtime.observe(Flow<Int>.never) { _ in }
        while runtime.taskCount > 0 { await Task.yield() }
    }

    /// A stream that has fallen far behind catches up without keeping the others from theirs.
    @Test func aStreamThatLagsGivesWay() async throws {
        let runtime = StreamRuntime(clock: clock)
        let fast = Locked(0)
        let seen = Locked<Int?>(nil)
        runtime.observe(Flow.interval(seconds(0.001), count: 100_000)) { _ in fast.withLock { $0 += 1 } }
        let other = runtime.observe(Flow.values(1).delay(for: seconds(100))) { _ in
            let count = fast.withLock { $0 }
            seen.withLock { $0 = count }
        }
        while clock.untilNext != .milliseconds(1) { await Task.yield() }
        clock.advance(by: .seconds(100))
        try await other.value
        #expect(try #require(seen.withLock { $0 }) < 1000)
        while fast.withLock({ $0 }) < 100_000 { await Task.yield() }
    }

    @Test func whatComesFromOutsideIsDelivered() async throws {
        let (items, feed) = AsyncStream.makeStream(of: JSON.self)
        var host = StreamHost()
        host.register("numbers") { _ in items }
        let flow = try StreamDocument(parsing: #"{"source": {"outside": "numbers"}}"#).flow()
        let runtime = StreamRuntime(clock: clock)
        let (seen, see) = AsyncStream.makeStream(of: JSON.self)
        let call = runtime.observe(flow, host: host) { see.yield($0) }
        var values = seen.makeAsyncIterator()
        for number in 1...3 {
            feed.yield(.int(Int64(number)))
            #expect(await values.next() == .int(Int64(number)))
            // Between the values no task of the runtime waits.
            while runtime.taskCount > 0 { await Task.yield() }
        }
        feed.finish()
        try await call.value
    }

    @Test func cancelReachesTheSource() async throws {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        var host = StreamHost()
        host.register("numbers") { _, inlet in
            start.finish()
            defer { end.finish() }
            while true { try await inlet.send(1) }
        }
        let flow = try StreamDocument(parsing: #"{"source": {"outside": "numbers"}}"#).flow()
        let call = StreamRuntime(clock: clock).observe(flow, host: host) { _ in }
        for await _ in started {}
        call.cancel()
        for await _ in ended {}
    }

    @Test func theContextOfTheCallIsAtHand() async throws {
        var context = CallContext.current
        context.attempt = 7
        let seen = Locked<Int?>(nil)
        let runtime = StreamRuntime(clock: clock)
        let call = withCallContext(context) {
            runtime.observe(Flow.values(1)) { _ in seen.withLock { $0 = CallContext.current.attempt } }
        }
        try await call.value
        #expect(seen.withLock { $0 } == 7)
    }

    /// A runtime that nobody has, with streams that nothing will ever wake: their calls end.
    @Test func callsEndWithTheRuntime() async {
        let call = StreamRuntime(clock: clock).observe(Flow<Int>.never) { _ in }
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func modelsAndDocumentsAreObserved() async throws {
        let sum = Locked(0)
        try await model([(1, []), (2, [])]).observe { value in sum.withLock { $0 += value } }.value
        let document = try StreamDocument(parsing: #"{"source": {"values": [3, 4]}}"#)
        try await document.observe { value in sum.withLock { $0 += Int(value.int ?? 0) } }.value
        #expect(sum.withLock { $0 } == 10)
    }
}
