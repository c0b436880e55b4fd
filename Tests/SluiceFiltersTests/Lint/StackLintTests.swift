import Sluice
import SluiceJSON
import Testing

@testable import SluiceFilters

@Suite struct StackLintTests {
    private typealias Rule = StackFinding.Rule

    private static let documents: [(String, [Rule])] = [
        // As they should be.
        (#"{"timeout": {"seconds": 10}}, {"retry": {}}, {"breaker": {}}, {"timeout": {"seconds": 2}}"#, []),
        (#"{"fallback": {"value": 1}}, {"singleFlight": {"by": "a"}}, {"retry": {}}, {"rate": {"limit": 1}}"#, []),
        (#"{"breaker": {}}, {"hedge": {}}, {"chaos": {"inject": [{"fault": {"rate": 1}}]}}"#, []),
        (#"{"retry": {}}"#, []),
        (#"{"deadline": {}}, {"retry": {}}, {"timeout": {"seconds": 2}}"#, []),
        (#"{"retry": {"attempts": 1}}, {"retry": {}}"#, []),
        (#"{"breaker": {}}, {"retry": {"attempts": 1}}"#, []),
        (#"{"disabled": true, "retry": {}}, {"retry": {}}"#, []),
        // As they should not.
        (#"{"retry": {}}, {"timeout": {"seconds": 2}}"#, [.retryWithoutTotalTimeout]),
        (#"{"retry": {}}, {"retry": {}}"#, [.retryInRetry]),
        (#"{"retry": {"budget": "a"}}, {"hedge": {"budget": "b"}}"#, [.twoBudgets]),
        (#"{"retry": {"budget": "a"}}, {"hedge": {"budget": "a"}}"#, []),
        (#"{"retry": {}}, {"use": {"name": "page cache"}}"#, [.cacheInRetry]),
        (#"{"hedge": {}}, {"breaker": {}}"#, [.hedgeAroundBreaker]),
        (#"{"breaker": {}}, {"retry": {}}"#, [.breakerAroundRetry]),
        (#"{"timeout": {"seconds": 2}}, {"breaker": {}}"#, [.breakerBlindToTimeouts]),
        (#"{"rate": {"limit": 1}}, {"retry": {}}"#, [.rateAroundRetry]),
        (#"{"concurrency": {"limit": 1}}, {"retry": {}}"#, [.concurrencyAroundRetry]),
        (#"{"shedding": {}}, {"retry": {}}"#, [.sheddingAroundRetry]),
        (#"{"retry": {}}, {"singleFlight": {"by": "a"}}"#, [.singleFlightInRetry]),
        (#"{"retry": {}}, {"fallback": {"value": 1}}"#, [.fallbackHidesFailures]),
        (#"{"breaker": {}}, {"fallback": {"value": 1}}"#, [.fallbackHidesFailures]),
        (#"{"timeout": {"seconds": 2}}, {"timeout": {"seconds": 2}}"#, [.timeoutNeverEnds]),
        (#"{"retry": {}}, {"debounce": {"seconds": 2}}"#, [.delayInRetry]),
        (#"{"hedge": {}}, {"throttle": {"seconds": 2}}"#, [.delayInRetry]),
        (#"{"chaos": {"inject": [{"fault": {"rate": 1}}]}}, {"retry": {}}"#, [.chaosAroundRemedy]),
    ]

    @Test(arguments: documents) private func ordersInDocuments(_ filters: String, _ rules: [Rule]) throws {
        let document = try StackDocument(parsing: #"{"budgets": {"a": {}, "b": {}}, "filters": [\#(filters)]}"#)
        #expect(document.lint().map(\.rule) == rules)
    }

    @Test func everyRuleIsTested() {
        let stats: Set<Rule> = [.statsBlindToTimeouts]  // not in documents; see StatsFilterTests
        #expect(Set(Self.documents.flatMap(\.1)).union(stats) == Set(Rule.allCases))
    }

    @Test func findingsInDocumentsHaveTheirPlaces() throws {
        let document = try StackDocument(
            parsing: """
                {"filters": [
                  {"id": "all", "retry": {}},
                  {"retry": {"attempts": 5}}
                ]}
                """
        )
        #expect(
            document.lint().map(\.description) == [
                "3:3: all around retry: one call becomes up to 15 tries: leave one of them out"
            ]
        )
    }

    private let node = AnyNode<Int, Int>("node") { $0 }

    @Test func typedStacks() {
        let one = RetryBudget()
        let stack = RetryFilter<Int, Int>(attempt: 3, backoff: .none, budget: one)
            .andThen(HedgeFilter(budget: RetryBudget())).andThen(TimeoutFilter(.seconds(2)))
        #expect(stack.lint().map(\.rule) == [.twoBudgets, .retryWithoutTotalTimeout])
        #expect(stack.andThen(node).lint().map(\.rule) == [.twoBudgets, .retryWithoutTotalTimeout])
        #expect(
            stack.lint().last?.description
                == "RetryFilter(attempt: 3) around TimeoutFilter(2.0 seconds): each try ends in time, but not all of them together: put a TimeoutFilter around the retry"
        )
        let shared = RetryFilter<Int, Int>(attempt: 3, backoff: .none, budget: one).andThen(HedgeFilter(budget: one))
        #expect(shared.lint().isEmpty)
    }

    @Test func erasedFiltersAreKnownByTheirNames() {
        let stack = AnyFilter(RetryFilter<Int, Int>(attempt: 3).andThen(TimeoutFilter(.seconds(2))))
            .andThen(AnyFilter(BreakerFilter(Breaker())))
        #expect(stack.lint().map(\.rule) == [.retryWithoutTotalTimeout, .breakerBlindToTimeouts])
        let timeouts = AnyFilter(TimeoutFilter<Int, Int>(.milliseconds(1500))).andThen(TimeoutFilter(.seconds(1)))
        #expect(timeouts.lint().isEmpty)
    }

    @Test func stacksOfDocumentsWithinStacks() throws {
        let inner = try StackFilter<Int, Int>(parsing: #"{"filters": [{"retry": {}}]}"#)
        #expect(RetryFilter<Int, Int>(attempt: 2).andThen(inner).lint().map(\.rule) == [.retryInRetry])
    }

    @Test func filtersOfOthersMayTellWhatTheyAre() {
        struct Pages: SimpleFilter<Int, Int>, StackStage {
            var stackRole: StackRole { .cache }
            func process(_ request: Int, next: some Node<Int, Int>) async throws -> Int {
                try await next.process(request)
            }
        }
        struct RedisCacheFilter: SimpleFilter<Int, Int> {
            func process(_ request: Int, next: some Node<Int, Int>) async throws -> Int {
                try await next.process(request)
            }
        }
        #expect(RetryFilter<Int, Int>(attempt: 2).andThen(Pages()).lint().map(\.rule) == [.cacheInRetry])
        #expect(RetryFilter<Int, Int>(attempt: 2).andThen(RedisCacheFilter()).lint().map(\.rule) == [.cacheInRetry])
        #expect(Pages().andThen(RetryFilter(attempt: 2)).lint().isEmpty)
    }
}
