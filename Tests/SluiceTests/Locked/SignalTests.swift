import SluiceTesting
import Testing

@testable import Sluice

@Suite(.timeLimit(.minutes(30))) struct SignalTests {
    @Test func notificationIsKeptForTheNextWait() async {
        let signal = Signal()
        signal.notify()
        signal.notify()
        await signal.wait()
        let waiter = Task { await signal.wait() }
        signal.notify()
        await waiter.value
    }

    @Test func cancelAndTimeEndTheWait() async {
        let (signal, clock) = (Signal(), TestClock())
        let canceled = Task { await signal.wait() }
        canceled.cancel()
        await canceled.value
        let timed = Task { await signal.wait(for: .seconds(5), clock) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(5))
        await timed.value
    }
}
