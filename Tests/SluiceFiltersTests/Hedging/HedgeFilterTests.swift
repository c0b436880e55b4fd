import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable { var call: Int }

/// A node whose calls the test ends one by one.
private final class Backend: Sendable {
    let calls = Locked<[Context<String>]>([])

    var node: AnyNode<Int, String> {
        AnyNode { [self] _ in
            let call = Context<String>()
            calls.withLock { $0.append(call) }
            return try await call.value
        }
    }

    var count: Int { calls.withLock { $0.count } }
    func call(_ index: Int) -> Context<String> { calls.withLock { $0[index] } }
}

@Suite struct HedgeFilterTests {
    let clock = TestClock()
    private let backend = Backend()

    /// A filter that has seen `count` calls of 10 ms and hedges from then on.
    private func warm(
        extraLoad: Double = 0.5,
        count: Int = 20,
        budget: RetryBudget? = nil,
        isIdempotent: (@Sendable (Int) -> Bool)? = nil
    ) async throws -> HedgeFilter<Int, String> {
        let filter = HedgeFilter<Int, String>(
            extraLoad: extraLoad,
            budget: budget,
            isIdempotent: isIdempotent,
            clock: clock
        )
        let quick = filter.andThen(
            AnyNode { [clock] _ in
                clock.advance(by: .milliseconds(10))
                return "quick"
            }
        )
        for _ in 0..<count { _ = try await quick.process(0) }
        clock.advance(by: .seconds(3))
        return filter
    }

    /// Starts a call and moves the clock to where the second is sent: 10 ms, to the upper end of the bucket.
    private func sendSecond(_ filter: HedgeFilter<Int, String>) async -> Observer<String> {
        let call: Observer<String> = filter.andThen(backend.node).start(1)
        while backend.count < 1 { await Task.yield() }
        await clock.sleepers(1)
        let wait = clock.untilNext ?? .zero
        #expect((.milliseconds(10) ... .microseconds(10_157)).contains(wait))
        clock.advance(by: wait)
        while backend.count < 2 { await Task.yield() }
        return call
    }

    @Test func theFirstAnswerCounts() async throws {
        let call = await sendSecond(try await warm())
        backend.call(1).emit("second")
        #expect(try await call.value == "second")
        await #expect(throws: CancellationError.self) { try await backend.call(0).value }
        #expect(clock.untilNext == nil)
    }

    @Test func theFirstCallMayStillWin() async throws {
        let call = await sendSecond(try await warm())
        backend.call(0).emit("first")
        #expect(try await call.value == "first")
        await #expect(throws: CancellationError.self) { try await backend.call(1).value }
    }

    @Test(arguments: [0, 1])
    func aFailureWaitsForTheOther(_ failing: Int) async throws {
        let call = await sendSecond(try await warm())
        backend.call(failing).emit(error: Failure(call: failing))
        while true {
            let isOver = backend.call(failing)
            if (try? await isOver.value) == nil { break }
        }
        backend.call(1 - failing).emit("other")
        #expect(try await call.value == "other")
    }

    /// A response and a failure that arrive at the same time from two threads: the response counts.
    @Test func aResponseCountsBesideAFailureOfTheSameInstant() async throws {
        for round in 0..<200 {
            let backend = Backend()
            let filter = try await warm()
            let call: Observer<String> = filter.andThen(backend.node).start(1)
            await clock.sleepers(1)
            clock.advance(by: clock.untilNext ?? .zero)
            while backend.count < 2 { await Task.yield() }
            await withTaskGroup { group in
                group.addTask { backend.call(round % 2).emit(error: Failure(call: round)) }
                group.addTask { backend.call(1 - round % 2).emit("answer") }
            }
            #expect(try await call.value == "answer")
        }
    }

    @Test func theLastFailureIsTheError() async throws {
        let call = await sendSecond(try await warm())
        backend.call(1).emit(error: Failure(call: 1))
        for _ in 0..<100 { await Task.yield() }
        backend.call(0).emit(error: Failure(call: 0))
        await #expect(throws: Failure.self) { try await call.value }
    }

    @Test func aFailureBeforeTheDelayIsNotHedged() async throws {
        let filter = try await warm()
        let call: Observer<String> = filter.andThen(backend.node).start(1)
        await clock.sleepers(1)
        backend.call(0).emit(error: Failure(call: 0))
        await #expect(throws: Failure(call: 0)) { try await call.value }
        #expect(backend.count == 1)
        #expect(clock.untilNext == nil)
    }

    @Test func cancelReachesBoth() async throws {
        let call = await sendSecond(try await warm())
        call.cancel()
        for index in 0...1 {
            await #expect(throws: CancellationError.self) { try await backend.call(index).value }
        }
        let filter = try await warm()
        let alone: Observer<String> = filter.andThen(backend.node).start(1)
        while backend.count < 3 { await Task.yield() }
        await clock.sleepers(1)
        alone.cancel()
        await #expect(throws: CancellationError.self) { try await backend.call(2).value }
        while clock.untilNext != nil { await Task.yield() }
    }

    @Test func neverBeforeItKnows() async throws {
        let filter = HedgeFilter<Int, String>(extraLoad: 0.5, clock: clock)
        let call: Observer<String> = filter.andThen(backend.node).start(1)
        while backend.count < 1 { await Task.yield() }
        #expect(clock.untilNext == nil)
        clock.advance(by: .seconds(60))
        backend.call(0).emit("late")
        #expect(try await call.value == "late")
    }

    @Test func whatMayNotBeSentTwiceIsNot() async throws {
        let filter = try await warm(isIdempotent: { $0 == 0 })
        let call: Observer<String> = filter.andThen(backend.node).start(1)
        while backend.count < 1 { await Task.yield() }
        #expect(clock.untilNext == nil)
        backend.call(0).emit("once")
        #expect(try await call.value == "once")
    }

    /// One in ten may be sent twice. After twenty calls that were not, the next two are, and then every tenth of sixty.
    @Test func theExtraLoadIsNeverMore() async throws {
        let filter = try await warm(extraLoad: 0.1)
        for number in 0..<40 {
            let before = backend.count
            let call: Observer<String> = filter.andThen(backend.node).start(1)
            while backend.count == before { await Task.yield() }
            await clock.sleepers(1)
            clock.advance(by: clock.untilNext ?? .zero)
            if [0, 1, 9, 19, 29, 39].contains(number) { while backend.count == before + 1 { await Task.yield() } }
            for _ in 0..<50 { await Task.yield() }
            backend.call(before).emit("done")
            _ = try await call.value
        }
        #expect(backend.count == 46)
    }

    @Test func theSharedBudgetLimitsToo() async throws {
        let budget = RetryBudget(ratio: 0, minimumPerSecond: 1, timeToLive: .seconds(1), clock: clock)
        let filter = try await warm(budget: budget)
        let first = await sendSecond(filter)
        backend.call(0).emit("done")
        _ = try await first.value
        let second: Observer<String> = filter.andThen(backend.node).start(1)
        while backend.count < 3 { await Task.yield() }
        await clock.sleepers(1)
        clock.advance(by: clock.untilNext ?? .zero)
        for _ in 0..<100 { await Task.yield() }
        #expect(backend.count == 3)
        backend.call(2).emit("alone")
        #expect(try await second.value == "alone")
    }

    @Test func tellsWhatItDid() async throws {
        let filter = try await warm()
        let node = filter.andThen(backend.node)
        async let explained = node.explain(1, clock: clock)
        await clock.sleepers(1)
        clock.advance(by: clock.untilNext ?? .zero)
        while backend.count < 2 { await Task.yield() }
        backend.call(1).emit("second")
        #expect(await explained.trail.steps.map(\.event) == ["no answer yet, called a second time"])
        #expect(filter.description == "HedgeFilter(extraLoad: 0.5)")
    }
}
