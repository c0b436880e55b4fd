#if Hub
import Foundation
import Testing

@testable import SluiceHub

@Suite(.timeLimit(.minutes(20))) struct SignalWatchTests {
    /// Interrupts this process. A signal is lost that comes before somebody watches.
    private static func interrupt(_ watch: SignalWatch) async throws {
        for attempt in 0..<6000 where !watch.isInterrupted {
            if attempt % 100 == 0 { kill(getpid(), SIGINT) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Whatever holds an orderly shutdown up, the process ends.
    @Test func aShutdownHasALimit() async {
        let result = await #expect(
            processExitsWith: .exitCode(SignalWatch.exitCode),
            observing: [\.standardErrorContent]
        ) {
            let watch = SignalWatch(limit: .milliseconds(100))
            try await Self.interrupt(watch)
            try await Task.sleep(for: .seconds(60))
            watch.end()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("the hub has not ended within 0.1 seconds"), "\(text)")
    }

    /// A hub that has ended in time is not ended again.
    @Test func whatHasEndedInTimeIsLeftAlone() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let watch = SignalWatch(limit: .seconds(1))
            try await Self.interrupt(watch)
            watch.end()
            try await Task.sleep(for: .milliseconds(1200))
            exit(7)
        }
    }
}
#endif
