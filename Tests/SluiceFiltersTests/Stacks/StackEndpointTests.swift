import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error {}

/// Filters of each endpoint in stack documents.
@Suite(.timeLimit(.minutes(1))) struct StackEndpointTests {
    private let clock = TestClock()

    private func document(
        _ filters: String,
        endpoints: String = #""a", "b""#,
        attempts: Int = 2,
        ratio: Double = 0
    ) throws -> StackDocument {
        try StackDocument(
            parsing: """
                {"budgets": {"extra": {"ratio": \(ratio), "minimumPerSecond": 1}},
                 "filters": [{"retry": {"maxAttempts": \(attempts), "budget": "extra"}}],
                 "balancer": {"policy": "roundRobin", "endpoints": [\(endpoints)],
                              "opensOn": [{"consecutiveFailures": {"count": 1000}}], "filters": [\(filters)]}}
                """
        )
    }

    /// Endpoints whose name begins with `x` fail.
    private func node(
        _ document: StackDocument,
        bindings: StackBindings<Int, String>? = nil,
        calls: Tries = Tries()
    ) throws -> StackNode<Int, String> {
        try StackNode(document, bindings: bindings ?? StackBindings(clock: clock)) { name in
            AnyNode<Int, String> { input in
                calls.note(input)
                if name.hasPrefix("x") { throw Failure() }
                return name
            }
        }
    }

    /// A breaker of one endpoint does not stop the calls of another.
    @Test func eachEndpointHasItsOwn() async throws {
        let breaker = #"{"breaker": {"opensOn": [{"consecutiveFailures": {"count": 1}}]}}"#
        let calls = Tries()
        let node = try node(document(breaker, endpoints: #""x", "a""#), calls: calls)
        var answers: [String] = []
        for input in 0..<20 { if let answer = try? await node.process(input) { answers.append(answer) } }
        // Every other call goes to the failing endpoint, whose breaker opens at the first, which is tried again.
        #expect(answers.count >= 10 && answers.allSatisfy { $0 == "a" })
        #expect(calls.count == answers.count + 1)
    }

    /// A limit of one call a second for each endpoint.
    @Test func stateIsKeptThroughEdits() async throws {
        let rate = #"{"id": "rate", "rate": {"limit": 1, "seconds": 10}}"#
        let node = try node(document(rate, attempts: 1))
        func succeeding() async -> Int {
            var count = 0
            for input in 0..<6 where (try? await node.process(input)) != nil { count += 1 }
            return count
        }
        #expect(await succeeding() == 2)
        let edited = try document(rate + #", {"timeout": {"seconds": 1}}"#, endpoints: #""a", "b", "c""#, attempts: 1)
        let change = try node.replace(with: edited)
        #expect(change.kept == ["budget extra", "retry", "balancer", "endpoint rate"])
        #expect(change.added == ["endpoint timeout"])
        // The new endpoint has a token; those of the others are used up.
        #expect(await succeeding() == 1)
        let other = try document(
            #"{"id": "rate", "rate": {"limit": 1, "seconds": 20}}"#,
            endpoints: #""a", "b", "c""#,
            attempts: 1
        )
        #expect(
            "\(try node.replace(with: other))"
                == "dropped: endpoint timeout; reset: endpoint rate; kept: budget extra, retry, balancer"
        )
        #expect(await succeeding() == 3)
        let last = try node.replace(with: document("", attempts: 1))
        #expect("\(last)" == "dropped: endpoint rate; kept: budget extra, retry, balancer")
        #expect(await succeeding() == 6)
    }

    /// A hedge of an endpoint takes from the budget of the document.
    @Test func budgetsAreThoseOfTheDocument() async throws {
        let retry = #"{"retry": {"maxAttempts": 2, "budget": "extra"}}"#
        let calls = Tries()
        let node = try node(document(retry, endpoints: #""x""#), calls: calls)
        for input in 0..<20 { _ = try? await node.process(input) }
        // Ten seconds' reserve of one further attempt each second, for both retries together.
        #expect(calls.count == 30)
        // It is the same budget after a change of the budget.
        clock.advance(by: .seconds(60))
        _ = try node.replace(with: document(retry, endpoints: #""x""#, ratio: 0.000_001))
        for input in 0..<20 { _ = try? await node.process(input) }
        #expect(calls.count == 60)
    }

    @Test func whatIsMissingIsSaid() throws {
        let use = try document(#"{"use": {"name": "log in"}}"#)
        func check(_ error: JSONErrors) {
            #expect(error.errors.map(\.message) == [#"there is no filter "log in" here"#])
            #expect(error.description.contains("balancer.filters[0].use"))
        }
        do throws(JSONErrors) {
            _ = try StackNode<Int, String>(use) { _ in AnyNode { _ in "" } }
            Issue.record("it was taken")
        } catch { check(error) }
        let node = try node(document(""))
        do throws(JSONErrors) {
            _ = try node.replace(with: use)
            Issue.record("it was taken")
        } catch { check(error) }
        #expect(node.document == (try document("")))
    }

    /// The program's filters are shared by the endpoints.
    @Test func filtersOfTheProgram() async throws {
        let limit = RateFilter<Int, String>(1, per: .seconds(10), clock: clock)
        let bindings = StackBindings<Int, String>(filters: ["limit": limit], clock: clock)
        let node = try node(document(#"{"use": {"name": "limit"}}"#, attempts: 1), bindings: bindings)
        var count = 0
        for input in 0..<6 where (try? await node.process(input)) != nil { count += 1 }
        #expect(count == 1)
    }
}
