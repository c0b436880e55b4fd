import SluiceTesting
import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct BellTests {
    @Test func ringIsKeptForTheNextWhoWaits() async {
        let bell = Bell()
        bell.ring()
        bell.ring()
        await bell.wait()
        let waiter = Task { await bell.wait() }
        bell.ring()
        await waiter.value
    }

    @Test func cancelAndTimeEndTheWait() async {
        let (bell, clock) = (Bell(), TestClock())
        let cancelled = Task { await bell.wait() }
        cancelled.cancel()
        await cancelled.value
        let timed = Task { await bell.wait(for: .seconds(5), clock) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(5))
        await timed.value
    }
}
