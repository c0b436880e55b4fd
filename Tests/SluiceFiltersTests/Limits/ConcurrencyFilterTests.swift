import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable {}

@Suite struct ConcurrencyFilterTests {
    let clock = TestClock()
    let work = Work()

    /// Calls that end when the test says so.
    final class Work: ObserverNode {
        typealias Input = Int
        typealias Output = Int
        private let contexts = Locked<[Int: Context<Int>]>([:])

        func start(_ input: Int) -> Observer<Int> {
            let context = Context<Int>()
            contexts.withLock { $0[input] = context }
            return context
        }

        func finish(_ number: Int) { contexts.withLock { $0[number] }?.emit(number) }
        func fail(_ number: Int) { contexts.withLock { $0[number] }?.emit(error: Failure()) }
        var begun: [Int] { contexts.withLock { $0.keys.sorted() } }
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    @Test func runsWaitsAndRefuses() async throws {
        let filter = ConcurrencyFilter<Int, Int>(1, queue: 1, clock: clock)
        let node = filter.andThen(work)
        let first: Observer<Int> = node.start(1)
        await until { work.begun == [1] }
        let second: Observer<Int> = node.start(2)
        await until { filter.counts.waiting == 1 }
        await #expect(throws: OverloadedError(limit: 1, waiting: 1)) { try await node.process(3) }
        work.finish(1)
        #expect(try await first.value == 1)
        await until { work.begun == [1, 2] }
        work.fail(2)
        await #expect(throws: Failure()) { try await second.value }
        let expected = ConcurrencyCounts(limit: 1, running: 0, waiting: 0, ended: 2, refused: 1, canceled: 0)
        #expect(filter.counts == expected)
    }

    @Test func theImportantOnesFirst() async throws {
        let filter = ConcurrencyFilter<Int, Int>(1, queue: 2, priority: { $0 / 10 }, clock: clock)
        let node = filter.andThen(work)
        let running: Observer<Int> = node.start(1)
        await until { work.begun == [1] }
        let low: [Observer<Int>] = [node.start(2)]
        await until { filter.counts.waiting == 1 }
        let evicted: Observer<Int> = node.start(3)
        await until { filter.counts.waiting == 2 }
        let high: Observer<Int> = node.start(10)
        await #expect(throws: OverloadedError(limit: 1, waiting: 2)) { try await evicted.value }
        work.finish(1)
        _ = try await running.value
        await until { work.begun == [1, 10] }
        work.finish(10)
        _ = try await high.value
        await until { work.begun == [1, 2, 10] }
        work.finish(2)
        _ = try await low[0].value
    }

    @Test func cancelEndsAWaitAlone() async throws {
        let filter = ConcurrencyFilter<Int, Int>(1, queue: 5, clock: clock)
        let node = filter.andThen(work)
        let running: Observer<Int> = node.start(1)
        await until { work.begun == [1] }
        let canceled: Observer<Int> = node.start(2)
        await until { filter.counts.waiting == 1 }
        let waiting: Observer<Int> = node.start(3)
        await until { filter.counts.waiting == 2 }
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        await until { filter.counts.waiting == 1 }
        work.finish(1)
        _ = try await running.value
        await until { work.begun == [1, 3] }
        work.finish(3)
        #expect(try await waiting.value == 3)
        #expect(filter.counts.canceled == 1)
    }

    @Test func waitsNoLongerThanItMay() async throws {
        let filter = ConcurrencyFilter<Int, Int>(1, queue: 5, wait: .seconds(2), clock: clock)
        let node = filter.andThen(work)
        let running: Observer<Int> = node.start(1)
        await until { work.begun == [1] }
        let waiting: Observer<Int> = node.start(2)
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(2))
        var context = CallContext()
        context.deadline = clock.now + .seconds(1)
        let hurried: Observer<Int> = withCallContext(context) { node.start(3) }
        await clock.sleepers(2)
        clock.advance(by: .seconds(1))
        await #expect(throws: DeadlineError()) { try await hurried.value }
        clock.advance(by: .seconds(1))
        await #expect(throws: OverloadedError.self) { try await waiting.value }
        await until { filter.counts.waiting == 0 }
        work.finish(1)
        _ = try await running.value
        #expect(clock.untilNext == nil)
        #expect(filter.counts.refused == 2)
        await #expect(throws: DeadlineError()) {
            try await withCallContext(context) {
                let filter = ConcurrencyFilter<Int, Int>(1, clock: clock)
                let stack = filter.andThen(filter).andThen(AnyNode { $0 })
                return try await stack.process(1)
            }
        }
    }

    @Test func theLimitFollowsWhatComesBack() async throws {
        let filter = ConcurrencyFilter<Int, Int>(.aimd(initial: 10, in: 2...100), clock: clock)
        let node = filter.andThen(
            AnyNode { input in
                if input < 0 { throw Failure() }
                return input
            }
        )
        #expect(filter.counts.limit == 10)
        _ = try? await node.process(-1)
        #expect(filter.counts.limit == 9)
        for _ in 0..<20 { _ = try? await node.process(-1) }
        #expect(filter.counts.limit == 2)
        // One call does not use two places up.
        _ = try await node.process(1)
        #expect(filter.counts.limit == 2)
    }

    @Test func tellsWhy() async throws {
        let filter = ConcurrencyFilter<Int, Int>(1, clock: clock)
        let running: Observer<Int> = filter.andThen(work).start(1)
        await until { work.begun == [1] }
        let steps = await filter.andThen(work).explain(2, clock: clock).trail.steps
        #expect(steps.map(\.event) == ["refused: overloaded: 1 calls run and 0 wait"])
        work.finish(1)
        _ = try await running.value
    }

    @Test func textsAreReadable() {
        let filter = ConcurrencyFilter<Int, Int>(.aimd(in: 5...200), queue: 100)
        #expect(filter.description == "ConcurrencyFilter(5 to 200, queue: 100)")
        #expect("\(OverloadedError(limit: 10, waiting: 100))" == "overloaded: 10 calls run and 100 wait")
        #expect(ResponseClass.of(OverloadedError(limit: 1, waiting: 0)) == .retryable())
    }
}
