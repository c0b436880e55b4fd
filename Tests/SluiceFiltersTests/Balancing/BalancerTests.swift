import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable {}

@Suite struct BalancerTests {
    let clock = TestClock()
    let down = Down()

    final class Down: Sendable {
        private let names = Locked<Set<String>>([])
        func set(_ all: Set<String>) { names.withLock { $0 = all } }
        func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
    }

    private func balancer(_ policy: BalancingPolicy, over names: [String]) -> Balancer<Int, String> {
        Balancer(
            policy,
            over: names,
            accrual: .consecutiveFailures(2),
            backoff: .linear(from: .seconds(10), by: .seconds(10), to: .seconds(60), jitter: .none),
            clock: clock,
            random: RandomSource(seed: 1)
        ) { node($0) }
    }

    private func node(_ name: String) -> AnyNode<Int, String> {
        AnyNode(name) { [down] _ in
            if down.contains(name) { throw Failure() }
            return name
        }
    }

    @Test func oneAfterTheOther() async throws {
        let balancer = balancer(.roundRobin, over: ["a", "b", "c", "b"])
        var names: [String] = []
        for number in 0..<6 { names.append(try await balancer.process(number)) }
        #expect(Set(names.prefix(3)) == ["a", "b", "c"])
        #expect(Array(names.prefix(3)) == Array(names.suffix(3)))
        #expect(balancer.endpoints.map(\.calls) == [2, 2, 2])
    }

    @Test func theLeastLoaded() async throws {
        let gate = Context<String>()
        let balancer = Balancer(.leastLoaded, over: [1, 2], clock: clock, random: RandomSource(seed: 1)) { _ in
            AnyNode<Int, String> { _ in try await gate.value }
        }
        var calls: [Observer<String>] = []
        for number in 0..<10 {
            calls.append(balancer.start(number))
            while balancer.endpoints.map(\.pending).reduce(0, +) <= number { await Task.yield() }
        }
        #expect(balancer.endpoints.map(\.pending) == [5, 5])
        gate.emit("done")
        for call in calls { #expect(try await call.value == "done") }
        #expect(balancer.endpoints.map(\.successes) == [5, 5])
    }

    @Test func theOneThatAnswersSooner() async throws {
        let balancer = Balancer(.peakEWMA(), over: [1, 100], clock: clock, random: RandomSource(seed: 1)) {
            milliseconds in
            AnyNode<Int, Int> { [clock] _ in
                clock.advance(by: .milliseconds(milliseconds))
                return milliseconds
            }
        }
        for number in 0..<100 { _ = try await balancer.process(number) }
        #expect(balancer.endpoints.map(\.calls) == [99, 1])
    }

    @Test func takesOutProbesOnceAndPutsBack() async throws {
        let balancer = balancer(.roundRobin, over: ["a", "b", "c"])
        down.set(["b"])
        for number in 0..<12 { _ = try? await balancer.process(number) }
        #expect(balancer.endpoints.map(\.isAlive) == [true, false, true])
        #expect(balancer.endpoints[1].calls == 2)
        clock.advance(by: .seconds(10))
        await #expect(throws: Failure()) { try await balancer.process(0) }
        for number in 0..<9 { _ = try await balancer.process(number) }
        #expect(balancer.endpoints[1].calls == 3)
        down.set([])
        clock.advance(by: .seconds(19))
        for number in 0..<9 { _ = try await balancer.process(number) }
        #expect(balancer.endpoints[1].calls == 3)
        clock.advance(by: .seconds(1))
        #expect(try await balancer.process(0) == "b")
        #expect(balancer.endpoints.map(\.isAlive) == [true, true, true])
    }

    @Test func whenAllAreDownAllAreCalled() async throws {
        let balancer = balancer(.leastLoaded, over: ["a", "b"])
        down.set(["a", "b"])
        for number in 0..<20 { await #expect(throws: Failure()) { try await balancer.process(number) } }
        #expect(balancer.endpoints.map(\.isAlive) == [false, false])
        #expect(balancer.endpoints.map(\.calls).reduce(0, +) == 20)
        down.set(["b"])
        while (try? await balancer.process(0)) == nil {}
        #expect(balancer.endpoints.map(\.isAlive) == [true, false])
        for number in 0..<20 { #expect(try await balancer.process(number) == "a") }
    }

    @Test func noEndpoints() async {
        let balancer = balancer(.leastLoaded, over: [])
        await #expect(throws: NoEndpointsError()) { try await balancer.process(1) }
        #expect("\(NoEndpointsError())" == "there is no endpoint to send the call to")
        #expect(ResponseClass.of(NoEndpointsError()) == .retryable())
    }

    @Test func followsSets() async throws {
        let (sets, input) = AsyncStream.makeStream(of: [String].self)
        let balancer = Balancer(.roundRobin, following: sets, clock: clock) { node($0) }
        let early: Observer<String> = balancer.start(0)
        let canceled: Observer<String> = balancer.start(0)
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        input.yield(["a", "b"])
        #expect(["a", "b"].contains(try await early.value))
        input.yield(["b", "c"])
        while balancer.endpoints.map(\.name) != ["b", "c"] { await Task.yield() }
        var names: Set<String> = []
        for number in 0..<4 { names.insert(try await balancer.process(number)) }
        #expect(names == ["b", "c"])
        input.yield([])
        while !balancer.endpoints.isEmpty { await Task.yield() }
        await #expect(throws: NoEndpointsError()) { try await balancer.process(1) }
    }

    /// The statistics of an endpoint are kept as long as the endpoint is.
    @Test func whoStaysKeepsItsState() async throws {
        let (sets, input) = AsyncStream.makeStream(of: Set<String>.self)
        let balancer = Balancer(.roundRobin, following: sets, accrual: .consecutiveFailures(1), clock: clock) {
            node($0)
        }
        down.set(["a"])
        input.yield(["a"])
        await #expect(throws: Failure()) { try await balancer.process(1) }
        input.yield(["a", "b"])
        while balancer.endpoints.count < 2 { await Task.yield() }
        for number in 0..<10 { #expect(try await balancer.process(number) == "b") }
    }

    @Test func aSequenceThatEndsBeforeItsFirstSet() async {
        struct Gone: Error {}
        let ended = Balancer(following: AsyncStream<[String]> { $0.finish() }, clock: clock) { node($0) }
        await #expect(throws: NoEndpointsError()) { try await ended.process(1) }
        let failed = Balancer(
            following: AsyncThrowingStream<[String], any Error> { $0.finish(throwing: Gone()) },
            clock: clock
        ) { node($0) }
        await #expect(throws: NoEndpointsError()) { try await failed.process(1) }
    }

    @Test func theSequenceIsLeftWithTheBalancer() async {
        let isLeft = Context<Void>()
        let (sets, input) = AsyncStream.makeStream(of: [String].self)
        input.onTermination = { _ in isLeft.emit(()) }
        do {
            let balancer = Balancer(following: sets, clock: clock) { node($0) }
            input.yield(["a"])
            _ = try? await balancer.process(1)
        }
        _ = try? await isLeft.value
    }

    @Test func cancelSaysNothingAboutAnEndpoint() async throws {
        let balancer = Balancer(.leastLoaded, over: [1], accrual: .consecutiveFailures(1), clock: clock) { _ in
            Forever()
        }
        let call: Observer<Int> = balancer.start(1)
        while balancer.endpoints[0].pending == 0 { await Task.yield() }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        while balancer.endpoints[0].pending == 1 { await Task.yield() }
        #expect(balancer.endpoints[0].isAlive)
        #expect(balancer.endpoints[0].ignored == 1)
    }

    @Test func tellsWhere() async throws {
        let balancer = balancer(.leastLoaded, over: ["a"])
        #expect(await balancer.explain(1, clock: clock).trail.steps.map(\.event) == ["sent to a"])
        down.set(["a"])
        _ = try? await balancer.process(1)
        let steps = await balancer.explain(1, clock: clock).trail.steps
        #expect(steps.map(\.event) == ["sent to a", "a is taken out for 10.0 seconds: 2 failures in a row"])
        #expect(balancer.description == "Balancer(least loaded, 1 endpoints)")
    }

    /// All endpoints fail: with a limit of a half, two of four stay in turn; without one all are called again.
    @Test(arguments: [(1.0, 4), (0.5, 2)]) func takesOutNoMoreThanItMay(_ share: Double, _ out: Int) async throws {
        struct Down: Error {}
        let balancer = Balancer<Int, Int>(
            .roundRobin,
            over: 1...4,
            accrual: .consecutiveFailures(1),
            limits: EjectionLimits(maximumShare: share),
            clock: TestClock(),
            random: RandomSource(seed: 1)
        ) { _ in AnyNode { _ in throw Down() } }
        for _ in 0..<40 { _ = try? await balancer.process(1) }
        // The two that stay share the calls that come after.
        let calls = balancer.endpoints.map(\.calls).sorted()
        #expect(calls == (out == 4 ? [10, 10, 10, 10] : [1, 1, 19, 19]), "\(calls)")
    }
}
