import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable {}

@Suite struct SingleFlightFilterTests {
    let clock = TestClock()
    let gate = Context<Void>()
    let begun = Tries()
    let ended = Tries()

    /// Waits at the gate.
    private var work: AnyNode<Int, String> {
        AnyNode { [gate, begun, ended] input in
            begun.note(input)
            defer { ended.note(input) }
            try await gate.value
            return "answer \(input)"
        }
    }

    /// Waits until so many callers have joined the work of a first one.
    private func joined(_ count: Int, _ filter: SingleFlightFilter<Int, some Sendable>) async {
        while filter.waitingCount < count { await Task.yield() }
    }

    @Test func oneCallForAll() async throws {
        let filter = SingleFlightFilter<Int, String>()
        let node = filter.andThen(work)
        let calls: [Observer<String>] = (0..<20).map { _ in node.start(1) }
        let other: Observer<String> = node.start(2)
        while begun.count < 2 { await Task.yield() }
        await joined(21, filter)
        gate.emit(())
        for call in calls { #expect(try await call.value == "answer 1") }
        #expect(try await other.value == "answer 2")
        #expect(begun.all.sorted() == [1, 2])
        #expect(try await node.process(1) == "answer 1")
        #expect(begun.count == 3)
    }

    @Test func oneWhoLeavesTouchesNobody() async throws {
        let filter = SingleFlightFilter<Int, String>()
        let node = filter.andThen(work)
        let first = Task { try await node.process(1) }
        while begun.count < 1 { await Task.yield() }
        let second = Task { try await node.process(1) }
        await joined(2, filter)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(ended.count == 0)
        gate.emit(())
        #expect(try await second.value == "answer 1")
        #expect(begun.count == 1)
    }

    @Test func theLastOneEndsTheWork() async throws {
        let filter = SingleFlightFilter<Int, Int>()
        let forever = Forever()
        let node = filter.andThen(forever)
        let calls = (0..<5).map { _ in Task { try await node.process(1) } }
        while forever.calls.begun < 1 { await Task.yield() }
        await joined(5, filter)
        for call in calls { call.cancel() }
        for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
        while forever.calls.running > 0 { await Task.yield() }
        #expect(try await filter.andThen(AnyNode { $0 }).process(1) == 1)
    }

    @Test func errorsAreShared() async {
        let filter = SingleFlightFilter<Int, String>()
        let node = filter.andThen(work)
        let calls: [Observer<String>] = (0..<3).map { _ in node.start(1) }
        while begun.count < 1 { await Task.yield() }
        await joined(3, filter)
        gate.emit(error: Failure())
        for call in calls { await #expect(throws: Failure()) { try await call.value } }
    }

    /// Work that gives up itself is not begun again.
    @Test func cancelFromWithinIsShared() async {
        let node = SingleFlightFilter<Int, Int>().andThen(
            AnyNode { [begun] in
                begun.note($0)
                throw CancellationError()
            }
        )
        await #expect(throws: CancellationError.self) { try await node.process(1) }
        #expect(begun.count == 1)
    }

    @Test func eachLeavesAtItsDeadline() async throws {
        let filter = SingleFlightFilter<Int, String>(clock: clock)
        let node = filter.andThen(work)
        var context = CallContext.current
        context.deadline = clock.now + .seconds(1)
        let hasty: Observer<String> = withCallContext(context) { node.start(1) }
        while begun.count < 1 { await Task.yield() }
        let patient: Observer<String> = node.start(1)
        await joined(2, filter)
        clock.advance(by: .seconds(1))
        await #expect(throws: DeadlineError()) { try await hasty.value }
        gate.emit(())
        #expect(try await patient.value == "answer 1")
        #expect(begun.count == 1)
        #expect(clock.untilNext == nil)
    }

    @Test func aKeyCanBeSaid() async throws {
        let filter = SingleFlightFilter<Int, String>(key: { $0 < 10 ? $0 % 2 : nil })
        let node = filter.andThen(work)
        let calls: [Observer<String>] = [1, 3, 10, 10].map { node.start($0) }
        while begun.count < 3 { await Task.yield() }
        await joined(2, filter)
        gate.emit(())
        let answers = try await [calls[0].value, calls[1].value]
        #expect(Set(answers).count == 1)
        for call in calls[2...] { #expect(try await call.value == "answer 10") }
        #expect(begun.count == 3)
    }
}
