#if HTTP
import Foundation
import Sluice
import Testing

@testable import SluiceHTTP

@Suite struct TurnTests {
    /// A task that is canceled gets its turn before it has left: the turn passes to the next task.
    @Test(.timeLimit(.minutes(30))) @MainActor func turnThatComesToOneWhoLeaves() async throws {
        let (turn, gate, begun, isOver) = (Turn(), Context<Void>(), Counter(), Counter())
        let first = Task.detached {
            try await turn.take {
                _ = begun.next()
                try await gate.value
            }
            _ = isOver.next()
        }
        while begun.value == 0 { await Task.yield() }
        let second = Task { @MainActor in try await turn.take {} }
        for _ in 0..<10 { await Task.yield() }
        second.cancel()
        gate.emit(())
        // The main actor stays occupied, so that the second task can't continue meanwhile.
        while isOver.value == 0 { Self.letOthersRun() }
        await #expect(throws: CancellationError.self) { try await second.value }
        try await first.value
        try await turn.take {}
        #expect(isOver.value == 1)
    }

    private static func letOthersRun() { sched_yield() }
}
#endif
