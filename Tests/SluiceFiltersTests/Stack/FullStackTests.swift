import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Outage: Error {}

private final class Login: Sendable {
    let isOut = Locked(false)
}

/// Counts what goes in and what comes out.
private final class Counter: Sendable {
    private let counts = Locked((begun: 0, ended: 0))
    var begun: Int { counts.withLock { $0.begun } }
    var ended: Int { counts.withLock { $0.ended } }

    var filter: AnyFilter<Int, Int, Int, Int> {
        AnyFilter("count") { [self] request, next in
            counts.withLock { $0.begun += 1 }
            defer { counts.withLock { $0.ended += 1 } }
            return try await next.process(request)
        }
    }
}

/// 64 tasks, real threads and timers, faults injected: nothing is lost and nothing is counted twice. Run under the
/// thread sanitizer by `bin/test sanitizer`.
@Suite struct FullStackTests {
    private static let (tasks, callsEach) = (64, 50)

    @Test func everyCounterAddsUp() async throws {
        let clock = FastClock()
        // The budget's clock doesn't advance: no deposit expires, however long the test takes.
        let budget = RetryBudget(timeToLive: .seconds(60), clock: TestClock())
        let reserve = budget.balance
        #expect(reserve == 600)
        let (login, refreshes) = (Login(), Tries())
        let (calls, entries, tries, work) = (Counter(), Counter(), Counter(), Counter())
        let chaos = ChaosFilter<Int, Int>(
            [
                .fault(rate: 0.002) { _ in
                    login.isOut.withLock { $0 = true }
                    return UnauthorizedError()
                },
                .latency(rate: 0.05, .milliseconds(50) ... .milliseconds(400)),
                .fault(rate: 0.1) { _ in Outage() },
                .answer(rate: 0.01) { -$0 },
            ],
            clock: clock,
            random: RandomSource(seed: 7)
        )
        let stack = calls.filter
            .andThen(SingleFlightFilter(clock: clock))
            .andThen(TimeoutFilter(.seconds(1), clock: clock))
            .andThen(
                AuthFilter(
                    refresh: {
                        refreshes.note(0)
                        login.isOut.withLock { $0 = false }
                    },
                    limit: .max,
                    clock: clock
                )
            )
            .andThen(entries.filter)
            .andThen(RetryFilter(maxAttempts: 4, backoff: .none, budget: budget, classify: Self.classify, clock: clock))
            .andThen(HedgeFilter(extraLoad: 0.05, budget: budget, clock: clock))
            .andThen(tries.filter)
            .andThen(TimeoutFilter(.milliseconds(300), clock: clock))
            .andThen(chaos)
            .andThen(work.filter)
            .andThen(AnyNode { $0 })
        let outcomes = await withTaskGroup(of: [String].self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    var outcomes: [String] = []
                    for call in 0..<Self.callsEach {
                        outcomes.append(await Self.outcome(of: stack, request: 1 + (task + call) % 16, call))
                    }
                    return outcomes
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        // Abandoned work ends a little later than its callers.
        for counter in [entries, tries, work] { while counter.begun != counter.ended { await Task.yield() } }
        let counts = Dictionary(grouping: outcomes, by: { $0 }).mapValues(\.count)
        let total = Self.tasks * Self.callsEach
        #expect(counts.values.reduce(0, +) == total)
        #expect(counts["wrong"] == nil, "\(counts)")
        #expect((calls.begun, calls.ended) == (total, total))
        #expect(entries.begun == entries.ended)
        // How many time out depends on the load of the machine.
        #expect((counts["answered"] ?? 0) > 0)
        // Every try beyond the first of its call was taken from the budget, and nothing else was.
        let further = tries.begun - entries.begun
        #expect(further > 0)
        #expect(budget.balance == entries.begun / 5 + reserve - further)
        #expect(refreshes.count <= entries.begun)
    }

    private static let classify: Classifier<Int, Int> = { _, result in
        if case .failure(let error) = result, error is UnauthorizedError { return .failure }
        return .of(result)
    }

    /// Every tenth call is canceled immediately.
    private static func outcome(of stack: some Node<Int, Int>, request: Int, _ call: Int) async -> String {
        let task = Task { try await stack.process(request) }
        let isCancelled = call % 10 == 9
        if isCancelled { task.cancel() }
        switch await task.result {
        case .success(let answer): return abs(answer) == request ? "answered" : "wrong"
        case .failure(let error):
            switch error {
            case is CancellationError: return isCancelled ? "canceled" : "wrong"
            case is Outage, is TimeoutError, is DeadlineError, is UnauthorizedError: return "failed"
            default: return "wrong"
            }
        }
    }
}
