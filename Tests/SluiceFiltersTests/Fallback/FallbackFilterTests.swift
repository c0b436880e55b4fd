import Sluice
import SluiceFilters
import Testing

private struct Failure: Error, Equatable { var code = 1 }

@Suite struct FallbackFilterTests {
    let failing = AnyNode<Int, Int> { throw Failure(code: $0) }

    @Test func answersInstead() async throws {
        let filter = FallbackFilter<Int, Int> { request, error in request + ((error as? Failure)?.code ?? 0) }
        #expect(try await filter.andThen(failing).process(4) == 8)
        #expect(try await filter.andThen(AnyNode { $0 }).process(4) == 4)
    }

    @Test func asksAnotherNode() async throws {
        #expect(try await FallbackFilter(to: AnyNode<Int, Int> { $0 * 2 }).andThen(failing).process(4) == 8)
    }

    @Test func someErrorsOnly() async throws {
        let filter = FallbackFilter<Int, Int>(when: { $0 as? Failure == Failure(code: 1) }) { _, _ in 0 }
        #expect(try await filter.andThen(failing).process(1) == 0)
        await #expect(throws: Failure(code: 2)) { try await filter.andThen(failing).process(2) }
    }

    @Test func otherWordsForTheError() async {
        let filter = FallbackFilter<Int, Int> { _, _ in throw Failure(code: 9) }
        await #expect(throws: Failure(code: 9)) { try await filter.andThen(failing).process(2) }
    }

    @Test func cancelIsNotAnswered() async {
        let filter = FallbackFilter<Int, Int> { _, _ in 0 }
        let cancelled = AnyNode<Int, Int> { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await filter.andThen(cancelled).process(1) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await filter.andThen(failing).process(1)
        }
        await #expect(throws: Failure(code: 1)) { try await task.value }
    }

    @Test func tellsWhy() async {
        let call = await FallbackFilter<Int, Int> { _, _ in 0 }.andThen(failing).explain(3)
        #expect(call.trail.steps.map(\.event) == ["answers instead, since it failed: Failure(code: 3)"])
    }
}
