import Foundation
import Sluice
import Testing

@testable import SluiceStreams

/// Ten thousand streams that wait cost no tasks and no threads, and little memory.
struct IdleStreamsTests {
    /// A clock on which nobody wakes and that counts its sleepers.
    final class StillClock: Clock, Sendable {
        private let sleepers = Locked((now: 0, most: 0))
        private let start = ContinuousClock.now

        var now: ContinuousClock.Instant { start }
        var minimumResolution: Duration { .zero }
        /// The number of sleepers now, and the largest number at one time.
        var counts: (now: Int, most: Int) { sleepers.withLock { $0 } }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            sleepers.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { sleepers.withLock { $0.now -= 1 } }
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
    }

    /// In a process of its own: the memory and the threads of other tests would count too.
    @Test func tenThousandCostNoTaskAndNoThread() async throws {
        await #expect(processExitsWith: .success) {
            let clock = StillClock()
            let runtime = StreamRuntime(clock: clock)
            let hour = Duration.seconds(3600)
            let flow = Flow.interval(hour).filter { $0 % 2 == 0 }.map { $0 * 2 }
            let before = Memory.resident
            let calls = (0..<10_000).map { _ in runtime.observe(flow) { _ in } }
            while clock.counts.now != 1 || runtime.pendingCount > 0 { await Task.yield() }
            let bytes = (Memory.resident - before) / calls.count
            #expect(runtime.taskCount == 1)
            // One that a new stream woke may still be on its way out.
            #expect(clock.counts.most <= 4)
            #expect(Memory.threadCount < 50)
            // A stream takes 2,600 bytes.
            #if !SLUICE_SANITIZER
            #expect(bytes < 5_000)
            #endif
            for call in calls { call.cancel() }
            while runtime.taskCount > 0 { await Task.yield() }
        }
    }
}

/// The resources of this process.
private enum Memory {
    /// The bytes of its pages in memory; 0 where the system does not say.
    static var resident: Int {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }

    /// The number of its threads; 1 where the system does not say.
    static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 1
    }
}
