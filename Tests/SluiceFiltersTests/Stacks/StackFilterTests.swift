import Foundation
import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable {}

@Suite struct StackFilterTests {
    let clock = TestClock()
    let tries = Tries()

    private func bindings(_ filters: [String: any SimpleFilter<Int, Int>] = [:]) -> StackBindings<Int, Int> {
        StackBindings(
            keys: ["self": { "\($0)" }],
            answer: { json in
                guard let number = json.int else { throw Failure() }
                return number
            },
            filters: filters,
            clock: clock,
            random: RandomSource(seed: 1)
        )
    }

    private func stack(_ filters: String, budgets: String = "{}") throws -> StackFilter<Int, Int> {
        try StackFilter(parsing: Self.text(filters, budgets), bindings: bindings())
    }

    private static func text(_ filters: String, _ budgets: String = "{}") -> String {
        #"{"budgets": \#(budgets), "filters": [\#(filters)]}"#
    }

    /// Answers what it is given; fails for numbers below zero.
    private var node: AnyNode<Int, Int> {
        AnyNode { [tries] input in
            tries.note(input)
            if input < 0 { throw Failure() }
            return input
        }
    }

    @Test func runsTheFiltersInTheirOrder() async throws {
        let stack = try stack(
            #"{"fallback": {"value": 7}}, {"retry": {"maxAttempts": 3}}, {"timeout": {"seconds": 2}}"#
        )
        let node = stack.andThen(node)
        #expect(try await node.process(1) == 1)
        #expect(try await node.process(-1) == 7)
        #expect(tries.all == [1, -1, -1, -1])
        #expect("\(stack)" == "FallbackFilter → RetryFilter(maxAttempts: 3) → TimeoutFilter(2.0 seconds)")
    }

    @Test func anEmptyStackLetsPass() async throws {
        let stack = try stack("")
        #expect(try await stack.andThen(node).process(3) == 3)
        #expect("\(stack)" == "StackFilter")
    }

    @Test func everyKindCanBeBuilt() async throws {
        let everything = StackDocumentTests.everything.components(separatedBy: "\n").filter { !$0.contains("balancer") }
            .joined(separator: "\n")
        let document = try StackDocument(
            parsing: everything.replacingOccurrences(of: #"{"name":"nobody"}"#, with: "7")
                .replacingOccurrences(of: "1.50", with: "8").replacingOccurrences(
                    of: #""by":"name""#,
                    with: #""by":"self""#
                )
        )
        let log = AnyFilter<Int, Int, Int, Int>("log") { try await $1.process($0) }
        let stack = try StackFilter(document, bindings: bindings(["log in": log]))
        #expect(
            "\(stack)" == """
                TimeoutFilter(10.0 seconds) → DeadlineFilter → FallbackFilter → SingleFlightFilter → \
                RetryFilter(maxAttempts: 4) → BreakerFilter → HedgeFilter(extraLoad: 0.02) → \
                ConcurrencyFilter(10 to 100, queue: 10) → RateFilter(100 per 60.0 seconds) → SheddingFilter → \
                DebounceFilter(delay: 0.3 seconds) → log → ChaosFilter(latency 0.1, fault 0.1, answer 0.1)
                """
        )
    }

    @Test func whatTheProgramLacksIsRefused() {
        let text = Self.text(
            """
            {"use": {"name": "auth"}},
              {"singleFlight": {"by": "name"}},
              {"fallback": {"value": "seven"}}
            """
        )
        do throws(JSONErrors) {
            _ = try StackFilter<Int, Int>(parsing: text, bindings: bindings())
            Issue.record("it was taken")
        } catch {
            #expect(
                error.description == """
                    1:29: filters[0].use: there is no filter "auth" here
                    2:3: filters[1].singleFlight: there is no key "name" here (known: self)
                    3:3: filters[2].fallback: this isn't a valid response: Failure()
                    """
            )
        }
        #expect(throws: JSONErrors.self) {
            try StackFilter<Int, Int>(parsing: Self.text(#"{"fallback": {"value": 7}}"#))
        }
    }

    @Test func aBadDocumentLeavesTheOldOneRunning() async throws {
        let stack = try stack(#"{"fallback": {"value": 7}}"#)
        let before = stack.document
        #expect(throws: JSONErrors.self) { try stack.replace(parsing: Self.text(#"{"fallbak": {"value": 8}}"#)) }
        #expect(throws: JSONErrors.self) { try stack.replace(parsing: Self.text(#"{"fallback": {"value": "x"}}"#)) }
        #expect(stack.document == before)
        #expect(try await stack.andThen(node).process(-1) == 7)
    }

    @Test func aBreakerThatStaysKeepsItsState() async throws {
        let breaker = #"{"id": "b", "breaker": {"opensOn": [{"consecutiveFailures": {"count": 2}}]}}"#
        let stack = try stack(breaker)
        let node = stack.andThen(node)
        for _ in 0..<2 { await #expect(throws: Failure()) { try await node.process(-1) } }
        await #expect(throws: BreakerOpenError.self) { try await node.process(1) }
        let change = try stack.replace(parsing: Self.text(#"{"timeout": {"seconds": 9}}, "# + breaker))
        #expect(change == StackChange(kept: ["b"], added: ["timeout"]))
        await #expect(throws: BreakerOpenError.self) { try await node.process(1) }
        // Other parameters: its state is reset.
        let other = breaker.replacingOccurrences(of: "2", with: "3")
        #expect(try stack.replace(parsing: Self.text(other)) == StackChange(reset: ["b"], dropped: ["timeout"]))
        #expect(try await node.process(1) == 1)
    }

    @Test func theModeOfABreakerIsSetWhileItRuns() async throws {
        func breaker(_ mode: String) -> String { Self.text(#"{"id": "b", "breaker": {"mode": "\#(mode)"}}"#) }
        let stack = try StackFilter<Int, Int>(parsing: breaker("forcedOpen"), bindings: bindings())
        let node = stack.andThen(node)
        await #expect(throws: BreakerOpenError.self) { try await node.process(1) }
        #expect(try stack.replace(parsing: breaker("disabled")) == StackChange(kept: ["b"]))
        #expect(try await node.process(1) == 1)
    }

    @Test func tokensOfARateAndBudgetsAreKept() async throws {
        let rate = #"{"rate": {"limit": 2, "seconds": 60, "burst": 2}}"#
        let budgets = #"{"main": {"ratio": 0, "minimumPerSecond": 1, "seconds": 1}}"#
        let retry = #"{"retry": {"maxAttempts": 2, "budget": "main"}}"#
        let stack = try StackFilter<Int, Int>(parsing: Self.text(rate + "," + retry, budgets), bindings: bindings())
        let node = stack.andThen(node)
        await #expect(throws: Failure()) { try await node.process(-1) }
        #expect(tries.all == [-1, -1])
        let change = try stack.replace(
            parsing: Self.text(rate + "," + retry + #", {"deadline": {}}"#, budgets)
        )
        #expect(change == StackChange(kept: ["budget main", "rate", "retry"], added: ["deadline"]))
        await #expect(throws: Failure()) { try await node.process(-2) }
        #expect(tries.all == [-1, -1, -2])
        await #expect(throws: RateLimitError.self) { try await node.process(3) }
        // A budget that changes is another one, for the filters that stay as well.
        let more = budgets.replacingOccurrences(of: #""minimumPerSecond": 1"#, with: #""minimumPerSecond": 2"#)
        #expect(
            try stack.replace(parsing: Self.text(retry, more))
                == StackChange(kept: ["retry"], reset: ["budget main"], dropped: ["rate", "deadline"])
        )
        await #expect(throws: Failure()) { try await node.process(-4) }
        #expect(tries.all == [-1, -1, -2, -4, -4])
    }

    @Test func whatIsDisabledIsPassedByAndKeepsItsState() async throws {
        let breaker = #"{"id": "b", "breaker": {"opensOn": [{"consecutiveFailures": {"count": 1}}]}}"#
        let disabled = breaker.replacingOccurrences(of: #""b","#, with: #""b", "disabled": true,"#)
        let stack = try stack(breaker)
        let node = stack.andThen(node)
        await #expect(throws: Failure()) { try await node.process(-1) }
        try stack.replace(parsing: Self.text(disabled))
        #expect(try await node.process(1) == 1)
        try stack.replace(parsing: Self.text(breaker))
        await #expect(throws: BreakerOpenError.self) { try await node.process(1) }
    }

    @Test func callsUnderWayEndInTheFiltersInWhichTheyBegan() async throws {
        let stack = try stack(#"{"fallback": {"value": 7}}, {"timeout": {"seconds": 5}}"#)
        let forever = Forever()
        let node = stack.andThen(forever)
        async let answer = node.process(1)
        while forever.calls.begun == 0 { await Task.yield() }
        try stack.replace(parsing: Self.text(""))
        clock.advance(by: .seconds(5))
        #expect(try await answer == 7)
        #expect(forever.calls.running == 0)
    }

    @Test func aPlanChangesNothing() throws {
        let stack = try stack(#"{"timeout": {"seconds": 1}}, {"timeout": {"seconds": 2}}, {"id": "r", "retry": {}}"#)
        let before = stack.document
        let other = try StackDocument(
            parsing: Self.text(
                #"{"timeout": {"seconds": 1}}, {"timeout": {"seconds": 3}}, {"id": "r", "deadline": {}}"#
            )
        )
        let change = stack.plan(other)
        #expect(change == StackChange(kept: ["timeout"], reset: ["timeout-2"], added: ["r"], dropped: ["r"]))
        #expect("\(change)" == "added: r; dropped: r; reset: timeout-2; kept: timeout")
        #expect("\(StackChange())" == "nothing")
        #expect(stack.document == before)
    }

    @Test func chaosIsSeeded() async throws {
        let text = Self.text(#"{"chaos": {"inject": [{"fault": {"rate": 0.5, "message": "down"}}], "seed": 5}}"#)
        func run() async throws -> [Bool] {
            let node = try StackFilter<Int, Int>(parsing: text, bindings: bindings()).andThen(node)
            var failed: [Bool] = []
            for input in 0..<20 {
                do { failed.append(try await node.process(input) != input) } catch {
                    #expect(error as? InjectedError == InjectedError(message: "down"))
                    failed.append(true)
                }
            }
            return failed
        }
        let first = try await run()
        #expect(first.contains(true) && first.contains(false))
        #expect(try await run() == first)
    }

    @Test func replacedByManyAtTheSameTimeOneIsTheLast() async throws {
        let stack = try stack("")
        let node = stack.andThen(node)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...16 {
                group.addTask {
                    try stack.replace(parsing: Self.text(#"{"id": "t", "timeout": {"seconds": \#(number)}}"#))
                    for input in 0..<50 { #expect(try await node.process(input) == input) }
                }
            }
            try await group.waitForAll()
        }
        #expect(stack.document.filters.map(\.id) == ["t"])
    }

    @Test func obeysTheLaws() async throws {
        let bindings = bindings()
        let documents = [
            "", #"{"timeout": {"seconds": 2}}"#,
            #"{"timeout": {"seconds": 9}}, {"retry": {}}, {"breaker": {}}, {"hedge": {}}, {"timeout": {"seconds": 2}}"#,
        ].map { Self.text($0) }
        for text in documents {
            let document = try StackDocument(parsing: text)
            try await FilterLaws(request: 1, answer: 2, clock: clock) {
                Unfailing { try StackFilter<Int, Int>(document, bindings: bindings) }
            }.check()
        }
    }
}

/// A filter that is made by a closure which may fail; a failure is that of each call.
private struct Unfailing<F: SimpleFilter<Int, Int>>: SimpleFilter<Int, Int> {
    let filter: Result<F, any Error>

    init(_ make: () throws -> F) { filter = Result(catching: make) }

    func process(_ request: Int, next: some Node<Int, Int>) async throws -> Int {
        try await filter.get().process(request, next: next)
    }
}
