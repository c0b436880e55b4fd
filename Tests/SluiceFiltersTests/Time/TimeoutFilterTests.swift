import Sluice
import SluiceFilters
import SluiceTesting
import Testing

private struct Failure: Error, Equatable {}

@Suite struct TimeoutFilterTests {
    let clock = TestClock()
    let work = Context<Int>()

    var node: Filtered<TimeoutFilter<Int, Int>, Work> {
        TimeoutFilter(.seconds(2), clock: clock).andThen(Work(context: work))
    }

    struct Work: ObserverNode<Int, Int> {
        let context: Context<Int>
        func start(_ input: Int) -> Observer<Int> { context }
    }

    @Test func answerInTime() async throws {
        let call: Observer<Int> = node.start(1)
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(1999))
        work.emit(5)
        #expect(try await call.value == 5)
    }

    @Test func errorPasses() async {
        let call: Observer<Int> = node.start(1)
        work.emit(error: Failure())
        await #expect(throws: Failure()) { try await call.value }
    }

    @Test func timeIsOver() async {
        let call: Observer<Int> = node.start(1)
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        await #expect(throws: TimeoutError(duration: .seconds(2))) { try await call.value }
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test func workThatIgnoresCancelDoesNotHoldTheCaller() async {
        let stubborn = AnyNode<Int, Int> { [work] input in
            await withCheckedContinuation { continuation in
                work.onCompleted(isolation: nil) { _ in continuation.resume() }
            }
            return input
        }
        let call: Observer<Int> = TimeoutFilter(.seconds(2), clock: clock).andThen(stubborn).start(1)
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        await #expect(throws: TimeoutError(duration: .seconds(2))) { try await call.value }
        work.emit(1)
    }

    @Test func cancelReachesTheWork() async {
        let task = Task { [node] in try await node.process(1) }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test(arguments: [0, -1])
    func noTimeAtAll(_ seconds: Int) async {
        let tries = Tries()
        let node = TimeoutFilter<Int, Int>(.seconds(seconds), clock: clock).andThen(
            AnyNode {
                tries.note($0)
                return $0
            }
        )
        await #expect(throws: TimeoutError(duration: .seconds(seconds))) { try await node.process(1) }
        #expect(tries.count == 0)
    }

    @Test func theLimitIsADeadlineInside() async throws {
        let deadline = clock.now + .seconds(2)
        let node = TimeoutFilter<Int, Bool>(.seconds(2), clock: clock).andThen(
            AnyNode { _ in CallContext.current.deadline == deadline }
        )
        #expect(try await node.process(1))
        var context = CallContext.current
        context.deadline = clock.now + .seconds(9)
        #expect(try await withCallContext(context) { try await node.process(1) })
    }

    @Test func anEarlierDeadlineIsKept() async {
        var context = CallContext.current
        context.deadline = clock.now + .seconds(1)
        let call: Observer<Int> = withCallContext(context) { node.start(1) }
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(1))
        clock.advance(by: .seconds(1))
        await #expect(throws: DeadlineError()) { try await call.value }
        await #expect(throws: DeadlineError()) { try await withCallContext(context) { try await node.process(1) } }
    }

    /// The total ends the call, not the try that ends at the same moment.
    @Test func totalAndPerTry() async {
        let node = TimeoutFilter<Int, Int>(.seconds(3), clock: clock)
            .andThen(RetryFilter(maxAttempts: 5, clock: clock))
            .andThen(TimeoutFilter(.seconds(2), clock: clock))
            .andThen(Forever())
        let call: Observer<Int> = node.start(1)
        await clock.sleepers(2)
        clock.advance(by: .seconds(2))
        await clock.sleepers(2)
        #expect(clock.untilNext == .seconds(1))
        clock.advance(by: .seconds(1))
        await #expect(throws: TimeoutError(duration: .seconds(3))) { try await call.value }
        #expect(clock.untilNext == nil)
    }

    /// The limit is the outer filter's, whichever filter is notified first.
    @Test func theOneWhoSetTheLimitTells() async {
        let node = TimeoutFilter<Int, Int>(.seconds(1), clock: clock)
            .andThen(TimeoutFilter(.seconds(2), clock: clock))
            .andThen(Forever())
        let call: Observer<Int> = node.start(1)
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        await #expect(throws: TimeoutError(duration: .seconds(1))) { try await call.value }
    }

    @Test func aDeadlineFilterEndsTheCall() async throws {
        let node = DeadlineFilter<Int, Int>(clock: clock).andThen(Forever())
        var context = CallContext.current
        context.deadline = clock.now + .seconds(4)
        let call: Observer<Int> = withCallContext(context) { node.start(1) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(4))
        await #expect(throws: DeadlineError()) { try await call.value }
        #expect(try await DeadlineFilter<Int, Int>(clock: clock).andThen(AnyNode { $0 }).process(1) == 1)
    }

    @Test func deadlinesOnlyGetEarlier() {
        var context = CallContext()
        let now = clock.now
        context.limitDeadline(to: now + .seconds(5))
        context.limitDeadline(to: now + .seconds(9))
        #expect(context.deadline == now + .seconds(5))
        context.limitDeadline(to: now + .seconds(2))
        #expect(context.deadline == now + .seconds(2))
        #expect("\(DeadlineError())" == "the deadline of the call has passed")
        #expect(ResponseClass.of(DeadlineError()) == .failure)
    }

    @Test func tellsWhy() async throws {
        let node = TimeoutFilter<Int, Int>(.seconds(2), clock: clock).andThen(Forever())
        async let explained = node.explain(1, clock: clock)
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        let steps = await explained.trail.steps
        #expect(
            steps == [
                .init(
                    time: .seconds(2),
                    filter: "TimeoutFilter",
                    event: "ended the call: no answer within 2.0 seconds"
                )
            ]
        )
    }

    @Test func tellsHowLongItTook() async throws {
        let node = TimeoutFilter<Int, Int>(.seconds(2), clock: clock).andThen(
            AnyNode { [clock] input in
                clock.advance(by: .milliseconds(1500))
                return input
            }
        )
        let steps = await node.explain(1, clock: clock).trail.steps
        #expect(
            steps == [
                .init(time: .milliseconds(1500), filter: "TimeoutFilter", event: "answered after 1.5 seconds")
            ]
        )
    }

    @Test func noTimeIsTooLong() async throws {
        let node = TimeoutFilter<Int, Int>(.seconds(Int64.max)).andThen(AnyNode { $0 })
        #expect(try await node.process(1) == 1)
    }

    @Test func errorIsReadable() {
        #expect("\(TimeoutError(duration: .seconds(2)))" == "no answer within 2.0 seconds")
        #expect(TimeoutFilter<Int, Int>(.milliseconds(500)).description == "TimeoutFilter(0.5 seconds)")
    }
}
