#if canImport(Combine) || OpenCombine
import Dispatch
import Sluice
import SluiceCombine
import SluiceStreams
import SluiceTesting
import Testing

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The place where publishers of streams call their subscribers.
@Suite struct PublisherQueueTests {
    let clock = TestClock()

    /// Closures that are declared on the main actor run there: the compiler's checks would end the process otherwise.
    @MainActor @Test func subscribersOfTheMainActorAreCalledOnIt() async {
        var seen: [Int] = []
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let subscription = StreamModel.values(1, 2, 3).toPublisher(clock: clock).sink(
            receiveCompletion: { _ in
                MainActor.assertIsolated()
                seen.append(0)
                end.finish()
            },
            receiveValue: { value in
                MainActor.assertIsolated()
                seen.append(value)
            }
        )
        for await _ in ended {}
        #expect(seen == [1, 2, 3, 0])
        subscription.cancel()
    }

    /// Every route to a publisher delivers on the queue that it is given.
    @Test func everyPublisherCallsOnItsQueue() async throws {
        let queue = DispatchQueue(label: "subscribers")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let model = StreamModel.values(1)
        let document = try StreamDocument(model)
        let upstream = model.toPublisher(on: nil, clock: clock)
        let fallible = [
            model.toPublisher(on: queue, clock: clock).map { "\($0)" }.eraseToAnyPublisher(),
            model.flow.toPublisher(on: queue, clock: clock).map { "\($0)" }.eraseToAnyPublisher(),
            model.stream[0].toPublisher(on: queue, clock: clock).map { "\($0)" }.eraseToAnyPublisher(),
            try document.toPublisher(on: queue, clock: clock).map { "\($0)" }.eraseToAnyPublisher(),
            Operator.prefix(1).applyPublisher(upstream, on: queue, clock: clock).map { "\($0)" }.eraseToAnyPublisher(),
        ]
        for publisher in fallible {
            let (calls, call) = AsyncStream.makeStream(of: Bool.self)
            let subscription = publisher.sink(
                receiveCompletion: { _ in
                    call.yield(DispatchQueue.getSpecific(key: key) == true)
                    call.finish()
                },
                receiveValue: { _ in call.yield(DispatchQueue.getSpecific(key: key) == true) }
            )
            var places: [Bool] = []
            for await isOnQueue in calls { places.append(isOnQueue) }
            #expect(places == [true, true])
            subscription.cancel()
        }
    }

    /// A value that is on its way to the main queue does not arrive after `cancel()` has returned there.
    @MainActor @Test func nothingArrivesAfterACancelOnTheQueue() async {
        for _ in 0..<20 {
            let isMade = Locked(false)
            var seen: [Int] = []
            let flow = Flow.values(1, 2, 3).map { value in
                isMade.withLock { $0 = true }
                return value
            }
            let subscription = flow.toPublisher(clock: clock).sink(
                receiveCompletion: { _ in seen.append(0) },
                receiveValue: { seen.append($0) }
            )
            // The main thread is busy, so that the value has to wait for it.
            while !isMade.withLock({ $0 }) {}
            subscription.cancel()
            for _ in 0..<3 { await withCheckedContinuation { next in DispatchQueue.main.async { next.resume() } } }
            #expect(seen == [])
        }
    }

    /// A queue is a scheduler for the operators of publishers, with nothing imported but SluiceCombine.
    @Test func queuesAreSchedulers() async {
        let probe = Probe<Int>(asking: .unlimited)
        StreamModel.values(1, 2).toPublisher(clock: clock).receive(on: DispatchQueue.main).subscribe(probe)
        #expect(await probe.events(3) == [.value("1"), .value("2"), .finished])
    }
}

/// Publishers that can't fail.
@Suite struct InfalliblePublisherTests {
    @MainActor final class Display {
        var text = ""
    }

    @MainActor @Test func valuesCanBeAssigned() async {
        let display = Display()
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let subscription = Flow.values("a", "b").toPublisher(clock: TestClock()) { _ in }
            .handleEvents(receiveCompletion: { _ in end.finish() })
            .sink { display.text += $0 }
        for await _ in ended {}
        #expect(display.text == "ab")
        subscription.cancel()
    }

    /// The error is reported where the subscriber is called, and the publisher completes.
    @MainActor @Test func theErrorIsReportedOnce() async throws {
        let document = try StreamDocument(parsing: #"{"source": {"fail": {"message": "broken"}}}"#)
        let model = StreamModel<Int>.fail("broken")
        var errors: [String] = []
        let note: (any Error) -> Void = { error in
            MainActor.assertIsolated()
            errors.append("\(error)")
        }
        let publishers: [AnyPublisher<Void, Never>] = [
            model.toPublisher(clock: TestClock(), onError: note).map { _ in }.eraseToAnyPublisher(),
            model.flow.toPublisher(clock: TestClock(), onError: note).map { _ in }.eraseToAnyPublisher(),
            try document.toPublisher(clock: TestClock(), onError: note).map { _ in }.eraseToAnyPublisher(),
        ]
        for publisher in publishers {
            let (ended, end) = AsyncStream.makeStream(of: Void.self)
            let subscription = publisher.sink(receiveCompletion: { _ in end.finish() }, receiveValue: {})
            for await _ in ended {}
            subscription.cancel()
        }
        #expect(errors == ["broken", "broken", "broken"])
    }
}
#endif
