import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error {}

@Suite struct StackNodeTests {
    private let calls = Calls()

    private final class Calls: Sendable {
        private let names = Locked<[String]>([])
        func note(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
    }

    private func document(_ endpoints: String, policy: String = "roundRobin") throws -> StackDocument {
        try StackDocument(
            parsing: """
                {"filters": [{"retry": {"maxAttempts": 1}}],
                 "balancer": {"policy": "\(policy)", "endpoints": [\(endpoints)], "opensOn": [{"consecutiveFailures": {"count": 1}}]}}
                """
        )
    }

    /// Endpoints whose name begins with `x` fail.
    private func node(_ document: StackDocument) throws -> StackNode<Int, String> {
        try StackNode(document, bindings: StackBindings(clock: TestClock())) { [calls] name in
            AnyNode<Int, String> { _ in
                calls.note(name)
                if name.hasPrefix("x") { throw Failure() }
                return name
            }
        }
    }

    @Test func balancesOverTheEndpointsOfTheDocument() async throws {
        let node = try node(document(#""a", "b""#))
        var answers: [String] = []
        for input in 0..<4 { answers.append(try await node.process(input)) }
        #expect(answers.sorted() == ["a", "a", "b", "b"])
        #expect("\(node)" == "RetryFilter(maxAttempts: 1) → Balancer(round robin, 2 endpoints)")
    }

    @Test func endpointsThatStayKeepTheirState() async throws {
        let node = try node(document(#""x", "a""#))
        for input in 0..<6 { _ = try? await node.process(input) }
        #expect(calls.all.filter { $0 == "x" }.count == 1)  // it is left out after its first failure
        #expect(try node.replace(with: document(#""x", "a", "b""#)).kept == ["retry", "balancer"])
        for input in 0..<6 { _ = try await node.process(input) }
        #expect(calls.all.filter { $0 == "x" }.count == 1)
        #expect(calls.all.contains("b"))
        #expect(try node.replace(with: document(#""a""#, policy: "leastLoaded")).reset == ["balancer"])
        #expect(try await node.process(1) == "a")
    }

    /// Of two documents that are applied at the same time, the endpoints are those of the one whose filters run.
    @Test func concurrentDocuments() async throws {
        let documents = try [document(#""a", "b""#), document(#""c""#, policy: "leastLoaded")]
        let node = try node(documents[0])
        for round in 0..<300 {
            await withTaskGroup { group in
                for document in documents { group.addTask { _ = try? node.replace(with: document) } }
            }
            let endpoints: Set = node.document == documents[0] ? ["a", "b"] : ["c"]
            for input in 0..<2 {
                let answer = try await node.process(input)
                #expect(endpoints.contains(answer), "round \(round)")
            }
        }
    }

    /// The endpoints of a document that was applied later remain when those of an earlier one come after them.
    @Test func anEarlierDocument() throws {
        let bindings = StackBindings<Int, String>(clock: TestClock())
        let (first, second) = (try document(#""a", "b""#), try document(#""c""#))
        let core = try StackCore<Int, String>(first, bindings)
        let endpoints = StackEndpoints<Int, String>(bindings) { name in AnyNode { _ in name } }
        let earlier = core.applied
        let later = try core.apply(second).applied
        _ = endpoints.update(second, later)
        _ = endpoints.update(first, earlier)
        #expect(endpoints.balancer.endpoints.map(\.name) == ["c"])
    }

    @Test func eachKindOfDocumentHasItsPlace() throws {
        let none = try StackDocument(parsing: #"{"filters": []}"#)
        do throws(JSONErrors) {
            _ = try StackNode<Int, String>(none) { _ in AnyNode { _ in "" } }
            Issue.record("it was taken")
        } catch {
            #expect(error.description == #"1:1: the key "balancer" is missing (make a StackFilter of it)"#)
        }
        let some = try document(#""a""#)
        do throws(JSONErrors) {
            _ = try StackFilter<Int, String>(some)
            Issue.record("it was taken")
        } catch {
            #expect(error.description == "2:14: balancer: a filter has no endpoints (make a StackNode of it)")
        }
    }
}
