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
        (#"{"retry": {"maxAttempts": 1}}, {"retry": {}}"#, []),
        (#"{"breaker": {}}, {"retry": {"maxAttempts": 1}}"#, []),
        (#"{"disabled": true, "retry": {}}, {"retry": {}}"#, []),
        // As they should not.
        (#"{"retry": {}}, {"timeout": {"seconds": 2}}"#, [.retryWithoutTotalTimeout]),
        (#"{"retry": {}}, {"retry": {}}"#, [.retryInRetry]),
        (#"{"retry": {"budget": "a"}}, {"hedge": {"budget": "b"}}"#, [.twoBudgets]),
        (#"{"retry": {"budget": "a"}}, {"hedge": {"budget": "a"}}"#, []),
        (#"{"retry": {}}, {"use": {"name": "page cache"}}"#, [.cacheInRetry]),
        (#"{"hedge": {}}, {"breaker": {}}"#, [.hedgeAroundBreaker]),
        (#"{"breaker": {}}, {"retry": {}}"#, [.breakerAroundRetry]),
        // A call that the timeout cancels is a failure for the breaker.
        (#"{"timeout": {"seconds": 2}}, {"breaker": {}}"#, []),
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

    /// The rules about filters that are in no documents: an outer role, an inner one, and what is wrong.
    private static let roles: [(StackRole, StackRole, Rule)] = [
        (.cache, .credentials, .cacheAroundCredentials),
        (.singleFlight, .credentials, .singleFlightAroundCredentials),
        (.cache, .answerFields, .cacheAroundAnswerFields),
        (.singleFlight, .answerFields, .cacheAroundAnswerFields),
        (.cache, .signature(hasIdentity: false), .signatureWithoutIdentity),
        (.singleFlight, .signature(hasIdentity: false), .signatureWithoutIdentity),
        (.cache, .redirects, .cacheAroundRedirects),
        (.singleFlight, .redirects, .singleFlightAroundRedirects),
        (.retry(maxAttempts: 2), .redirects, .retryAroundRedirects),
        (.credentials, .redirects, .fieldsAroundRedirects),
        (.answerFields, .redirects, .fieldsAroundRedirects),
        (.attemptFields, .redirects, .fieldsAroundRedirects),
        (.signature(hasIdentity: true), .redirects, .fieldsAroundRedirects),
        (.retry(maxAttempts: 2), .credentials, .credentialsInRetry),
        (.attemptFields, .retry(maxAttempts: 2), .attemptFieldsAroundRetry),
        (.signature(hasIdentity: true), .retry(maxAttempts: 2), .attemptFieldsAroundRetry),
        (.attemptFields, .cache, .attemptFieldsAroundCache),
        (.signature(hasIdentity: true), .singleFlight, .attemptFieldsAroundCache),
        (.wireStats, .cache, .wireStatsAroundCache),
        (.wireStats, .singleFlight, .wireStatsAroundCache),
        (.wireStats, .retry(maxAttempts: 2), .wireStatsAroundRetry),
        (.wireStats, .redirects, .wireStatsAroundRetry),
        (.cache, .fallback, .fallbackHidesFailures),
        (.credentials, .refresh, .refreshInCredentials),
        (.signature(hasIdentity: true), .refresh, .refreshInCredentials),
        (.retry(maxAttempts: 2), .refresh, .refreshInRetry),
        (.cache, .refresh, .cacheAroundRefresh),
        (.singleFlight, .refresh, .cacheAroundRefresh),
    ]

    private struct Stage: SimpleFilter<Int, Int>, StackStage {
        let stackRole: StackRole
        func process(_ request: Int, next: some Node<Int, Int>) async throws -> Int { try await next.process(request) }
    }

    @Test(arguments: roles) private func ordersOfRoles(_ outer: StackRole, _ inner: StackRole, _ rule: Rule) {
        #expect(Stage(stackRole: outer).andThen(Stage(stackRole: inner)).lint().map(\.rule) == [rule])
        // The other way round is what the rule asks for; a signature needs an identity instead.
        if rule == .signatureWithoutIdentity { return }
        #expect(Stage(stackRole: inner).andThen(Stage(stackRole: outer)).lint().map(\.rule) == [])
    }

    @Test func everyRuleIsTested() {
        let stats: Set<Rule> = [.statsBlindToTimeouts]  // not in documents; see StatsFilterTests
        let documents = Set(Self.documents.flatMap(\.1))
        #expect(
            documents.union(stats).union(Self.roles.map(\.2)).union(Self.endpoints.flatMap(\.2)) == Set(Rule.allCases)
        )
    }

    @Test func findingsInDocumentsHaveTheirPlaces() throws {
        let document = try StackDocument(
            parsing: """
                {"filters": [
                  {"id": "all", "retry": {}},
                  {"retry": {"maxAttempts": 5}}
                ]}
                """
        )
        #expect(
            document.lint().map(\.description) == [
                "3:3: all around retry: one call becomes up to 15 attempts: leave one of them out"
            ]
        )
    }

    private static let endpoints: [(String, String, [Rule])] = [
        (#"{"timeout": {"seconds": 9}}"#, #"{"timeout": {"seconds": 1}}, {"breaker": {}}"#, []),
        (#"{"timeout": {"seconds": 1}}"#, #"{"timeout": {"seconds": 1}}"#, [.timeoutNeverEnds]),
        (#"{"retry": {}}"#, #"{"timeout": {"seconds": 1}}"#, [.retryWithoutTotalTimeout]),
        (#"{"deadline": {}}"#, #"{"retry": {}}"#, [.retryInBalancer]),
        (#"{"deadline": {}}"#, #"{"retry": {"maxAttempts": 1}}"#, []),
        (#"{"deadline": {}}"#, #"{"hedge": {}}"#, [.retryInBalancer]),
        (#"{"deadline": {}}"#, #"{"disabled": true, "hedge": {}}"#, []),
        (#"{"deadline": {}}"#, #"{"fallback": {"value": 1}}"#, [.fallbackHidesFailures]),
        (#"{"retry": {}}"#, #"{"retry": {}}"#, [.retryInRetry, .retryInBalancer]),
    ]

    /// Filters of endpoints are further inside than those of the stack.
    @Test(arguments: endpoints)
    private func filtersOfEndpoints(_ outer: String, _ inner: String, _ rules: [Rule]) throws {
        let text = #"{"filters": [\#(outer)], "balancer": {"endpoints": ["a"], "filters": [\#(inner)]}}"#
        #expect(try StackDocument(parsing: text).lint().map(\.rule) == rules)
    }

    @Test func balancersTellWhatIsInside() {
        let balancer = Balancer<Int, Int>(over: ["a", "b"]) { _ in
            TimeoutFilter<Int, Int>(.seconds(1)).andThen(RetryFilter(maxAttempts: 2)).andThen(node)
        }
        #expect(TimeoutFilter<Int, Int>(.seconds(9)).andThen(balancer).lint().map(\.rule) == [.retryInBalancer])
    }

    private let node = AnyNode<Int, Int>("node") { $0 }

    @Test func typedStacks() {
        let one = RetryBudget()
        let stack = RetryFilter<Int, Int>(maxAttempts: 3, backoff: .none, budget: one)
            .andThen(HedgeFilter(budget: RetryBudget())).andThen(TimeoutFilter(.seconds(2)))
        #expect(stack.lint().map(\.rule) == [.twoBudgets, .retryWithoutTotalTimeout])
        #expect(stack.andThen(node).lint().map(\.rule) == [.twoBudgets, .retryWithoutTotalTimeout])
        #expect(
            stack.lint().last?.description
                == "RetryFilter(maxAttempts: 3) around TimeoutFilter(2.0 seconds): each try ends in time, but not all of them together: put a TimeoutFilter around the retry"
        )
        let shared = RetryFilter<Int, Int>(maxAttempts: 3, backoff: .none, budget: one).andThen(
            HedgeFilter(budget: one)
        )
        #expect(shared.lint().isEmpty)
    }

    @Test func erasedFiltersAreKnownByTheirNames() {
        let stack = AnyFilter(RetryFilter<Int, Int>(maxAttempts: 3).andThen(TimeoutFilter(.seconds(2))))
            .andThen(AnyFilter(BreakerFilter(Breaker())))
        #expect(stack.lint().map(\.rule) == [.retryWithoutTotalTimeout])
        let timeouts = AnyFilter(TimeoutFilter<Int, Int>(.milliseconds(1500))).andThen(TimeoutFilter(.seconds(1)))
        #expect(timeouts.lint().isEmpty)
    }

    @Test func stacksOfDocumentsWithinStacks() throws {
        let inner = try StackFilter<Int, Int>(parsing: #"{"filters": [{"retry": {}}]}"#)
        #expect(RetryFilter<Int, Int>(maxAttempts: 2).andThen(inner).lint().map(\.rule) == [.retryInRetry])
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
        #expect(RetryFilter<Int, Int>(maxAttempts: 2).andThen(Pages()).lint().map(\.rule) == [.cacheInRetry])
        #expect(RetryFilter<Int, Int>(maxAttempts: 2).andThen(RedisCacheFilter()).lint().map(\.rule) == [.cacheInRetry])
        #expect(Pages().andThen(RetryFilter(maxAttempts: 2)).lint().isEmpty)
    }
}
