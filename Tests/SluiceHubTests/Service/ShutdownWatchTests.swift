#if Hub
import Foundation
import Sluice
import SluiceFilters
import SluiceTesting
import Testing

@testable import SluiceHub
@testable import SluiceRuns

/// The limit of a shutdown. `fairness.py` sends signals to a hub.
@Suite struct ShutdownWatchTests {
    /// A process whose end is noted.
    private final class Process: Sendable {
        let clock = TestClock()
        let exits = Locked<[String]>([])

        func watch(limit: Duration) -> ShutdownWatch {
            let timer = CallRunTimer(.of(clock))
            return ShutdownWatch(
                limit: limit,
                after: { duration, body in
                    _ = timer.schedule(at: timer.now + Int64(duration / .nanoseconds(1)), body)
                },
                exit: { code, reason in
                    self.exits.withLock { $0.append("\(code) \(reason ?? "at once")") }
                }
            )
        }

        var noted: [String] { exits.withLock { $0 } }
    }

    /// Whatever holds an orderly shutdown up, the process ends.
    @Test func aShutdownHasALimit() {
        let process = Process()
        let watch = process.watch(limit: .seconds(30))
        #expect(watch.take(SIGINT) && watch.signal == SIGINT)
        process.clock.advance(by: .seconds(29))
        #expect(process.noted == [])
        process.clock.advance(by: .seconds(1))
        #expect(process.noted == ["130 the hub has not ended within 30.0 seconds: its last output may be lost"])
    }

    /// A hub that has ended in time is not ended again.
    @Test func whatHasEndedInTimeIsLeftAlone() {
        let process = Process()
        let watch = process.watch(limit: .seconds(30))
        #expect(watch.take(SIGTERM))
        process.clock.advance(by: .seconds(29))
        watch.end()
        process.clock.advance(by: .seconds(60))
        #expect(process.noted == [] && watch.signal == SIGTERM)
    }

    @Test(arguments: [SIGINT, SIGTERM]) func aSecondSignalEndsAtOnce(_ second: Int32) {
        let process = Process()
        let watch = process.watch(limit: .seconds(30))
        #expect(watch.take(SIGTERM))
        #expect(!watch.take(second))
        #expect(process.noted == ["130 at once"] && watch.signal == SIGTERM)
    }

    /// Until a signal comes, no limit holds.
    @Test func aProcessThatNobodyAsksGoesOn() {
        let process = Process()
        let watch = process.watch(limit: .seconds(30))
        process.clock.advance(by: .seconds(3600))
        #expect(process.noted == [] && watch.signal == nil)
    }
}
#endif
