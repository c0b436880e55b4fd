#if canImport(Combine) || OpenCombine
import Sluice
import SluiceCombine
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// A subscriber that stores the values it receives and requests a given demand.
final class Probe<Value: Sendable>: Subscriber, @unchecked Sendable {
    // `@unchecked Sendable`: all that is stored is behind the lock; subscriptions may be called from any thread.
    enum Event: Equatable, Sendable { case value(String), finished, failed(String) }

    private struct State {
        var subscription: (any Subscription)?
        var events: [Event] = []
    }

    private struct Box: @unchecked Sendable { var state = State() }
    private let box = Locked(Box())
    private let initial: Subscribers.Demand
    private let more: Subscribers.Demand

    init(asking initial: Subscribers.Demand, then more: Subscribers.Demand = .none) {
        self.initial = initial
        self.more = more
    }

    var events: [Event] { box.withLock { $0.state.events } }

    func receive(subscription: any Subscription) {
        let kept = Box(state: State(subscription: subscription))
        box.withLock { $0 = kept }
        if initial > .none { subscription.request(initial) }
    }

    func receive(_ input: Value) -> Subscribers.Demand {
        box.withLock { $0.state.events.append(.value("\(input)")) }
        return more
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        let event: Event = if case .failure(let error) = completion { .failed("\(error)") } else { .finished }
        box.withLock { $0.state.events.append(event) }
    }

    func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
    func cancel() { subscription?.cancel() }

    private var subscription: (any Subscription)? { box.withLock { $0 }.state.subscription }

    /// Waits until so many events have come.
    func events(_ count: Int) async -> [Event] {
        while events.count < count { await Task.yield() }
        return events
    }
}

@Suite struct FlowPublisherTests {
    let clock = TestClock()

    @Test func valuesThenTheCompletion() async {
        let probe = Probe<Int>(asking: .unlimited)
        StreamModel.values(1, 2, 3).toPublisher(clock: clock).subscribe(probe)
        #expect(await probe.events(4) == [.value("1"), .value("2"), .value("3"), .finished])
    }

    @Test func valuesComeWhenTheyAreDue() async {
        let probe = Probe<Int>(asking: .unlimited)
        StreamModel.values(1).delay(seconds: 2).toPublisher(clock: clock).subscribe(probe)
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(2) && probe.events.isEmpty)
        clock.advance(by: .seconds(2))
        #expect(await probe.events(2) == [.value("1"), .finished])
    }

    /// Without demand the stream does not begin; with some, no more values come; the completion needs none.
    @Test func demandIsRespected() async {
        let probe = Probe<Int>(asking: .none)
        StreamModel.values(1).delay(seconds: 1).append([2]).toPublisher(clock: clock).subscribe(probe)
        probe.request(.none)
        #expect(clock.untilNext == nil)
        probe.request(.max(1))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        #expect(await probe.events(1) == [.value("1")])
        for _ in 0..<100 { await Task.yield() }
        #expect(probe.events == [.value("1")])
        probe.request(.max(1))
        #expect(await probe.events(3) == [.value("1"), .value("2"), .finished])
    }

    /// The result of `receive` adds to the demand.
    @Test func demandOfEachValueCounts() async {
        let probe = Probe<Int>(asking: .max(1), then: .max(1))
        StreamModel.values(contentsOf: [1, 2, 3]).toPublisher(clock: clock).subscribe(probe)
        #expect(await probe.events(4).last == .finished)
    }

    @Test func everySubscriberHasARun() async {
        let publisher = StreamModel.values(1, 2).toPublisher(clock: clock)
        for _ in 0..<2 {
            let probe = Probe<Int>(asking: .unlimited)
            publisher.subscribe(probe)
            #expect(await probe.events(3) == [.value("1"), .value("2"), .finished])
        }
    }

    @Test func errorIsTheFailure() async throws {
        let probe = Probe<Int>(asking: .unlimited)
        StreamModel.values(1).append(.fail("broken")).toPublisher(clock: clock).subscribe(probe)
        #expect(await probe.events(2) == [.value("1"), .failed("broken")])
    }

    @Test func cancelEndsTheRun() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let flow = Flow<Int>.feeding { inlet in
            defer { end.finish() }
            while true { try await inlet.send(1) }
        }
        let probe = Probe<Int>(asking: .max(1))
        flow.toPublisher(clock: clock).subscribe(probe)
        _ = await probe.events(1)
        probe.cancel()
        for await _ in ended {}
        #expect(probe.events == [.value("1")])
    }

    @Test func documentsAndItemsArePublishers() async throws {
        let values = Probe<JSON>(asking: .unlimited)
        try StreamDocument(parsing: #"{"source": {"values": ["a", 2]}}"#).toPublisher(clock: clock).subscribe(values)
        #expect(await values.events(3) == [.value(#""a""#), .value("2"), .finished])
        let item = Probe<Int>(asking: .unlimited)
        StreamItem(value: 7).toPublisher(clock: clock).subscribe(item)
        #expect(await item.events(2) == [.value("7"), .finished])
        #expect(throws: JSONErrors.self) {
            try StreamDocument(parsing: #"{"source": {"ref": "none"}}"#).toPublisher(clock: clock)
        }
    }

    /// OpenCombine cannot merge or combine: a stream can, and is a publisher.
    @Test func combiningIsTheStreams() async {
        let both = StreamModel.values(1, 2).merge(with: .values(3)).combineLatest(
            with: StreamModel.values(10),
            expression: "a + b",
            as: Int.self
        )
        let probe = Probe<Int>(asking: .unlimited)
        both.toPublisher(clock: clock).subscribe(probe)
        #expect(await probe.events(2) == [.value("13"), .finished])
    }

    @Test func operatorsAreAppliedToPublishers() async {
        let even = Operator.filter("x % 2 == 0").applyPublisher(
            StreamModel.values(1, 2, 3, 4).toPublisher(clock: clock),
            clock: clock
        )
        let probe = Probe<Int>(asking: .unlimited)
        even.subscribe(probe)
        #expect(await probe.events(3) == [.value("2"), .value("4"), .finished])
        let broken = Probe<Int>(asking: .unlimited)
        Operator.delay(seconds: 0).applyPublisher(
            Fail<Int, any Error>(error: StreamError(message: "no")).eraseToAnyPublisher(),
            clock: clock
        )
        .subscribe(broken)
        #expect(await broken.events(1) == [.failed("no")])
    }
}
#endif
