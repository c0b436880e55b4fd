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
        func process(_ input: Int) -> Observer<Int> { context }
    }

    @Test func answerInTime() async throws {
        let call: Observer<Int> = node.process(1)
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(1999))
        work.emit(5)
        #expect(try await call.value == 5)
    }

    @Test func errorPasses() async {
        let call: Observer<Int> = node.process(1)
        work.emit(error: Failure())
        await #expect(throws: Failure()) { try await call.value }
    }

    @Test func timeIsOver() async {
        let call: Observer<Int> = node.process(1)
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
        let call: Observer<Int> = TimeoutFilter(.seconds(2), clock: clock).andThen(stubborn).process(1)
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

    @Test func noTimeIsTooLong() async throws {
        let node = TimeoutFilter<Int, Int>(.seconds(Int64.max)).andThen(AnyNode { $0 })
        #expect(try await node.process(1) == 1)
    }

    @Test func errorIsReadable() {
        #expect("\(TimeoutError(duration: .seconds(2)))" == "no answer within 2.0 seconds")
        #expect(TimeoutFilter<Int, Int>(.milliseconds(500)).description == "TimeoutFilter(0.5 seconds)")
    }
}
