import Foundation
import Sluice
import Testing

@testable import SluiceStreams

/// Ten thousand streams that wait cost no tasks and no threads.
@Suite(.serialized) struct IdleStreamsTests {
    /// A clock on which nobody wakes, that knows how many sleep.
    final class StillClock: Clock, Sendable {
        private let sleepers = Locked((now: 0, most: 0))
        private let base = ContinuousClock()

        var now: ContinuousClock.Instant { start }
        private let start = ContinuousClock.now
        var minimumResolution: Duration { .zero }
        /// How many sleep now, and how many at most did at one time.
        var counts: (now: Int, most: Int) { sleepers.withLock { $0 } }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            sleepers.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { sleepers.withLock { $0.now -= 1 } }
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
    }

    @Test func tenThousandCostNoTaskAndNoThread() async throws {
        let clock = StillClock()
        let runtime = StreamRuntime(clock: clock)
        let hour = try #require(StreamTime(seconds: 3600))
        let flow = Flow.interval(hour).filter { $0 % 2 == 0 }.map { $0 * 2 }
        let before = Memory.resident
        let calls = (0..<10_000).map { _ in runtime.observe(flow) { _ in } }
        while clock.counts.now != 1 || runtime.pendingCount > 0 { await Task.yield() }
        let bytes = (Memory.resident - before) / calls.count
        #expect(runtime.taskCount == 1)
        // One that was woken by a new stream may still be on its way out.
        #expect(clock.counts.most <= 4)
        #expect(try Memory.threadCount() < 100)
        print("an idle stream: \(bytes) bytes")
        // Alone it is 2,600 bytes. Other tests fill the memory at the same time, so the bound is wide: wide enough for
        // them, and too narrow for a thread a stream.
        #if !SLUICE_THREAD_SANITIZER
        #expect(bytes < 16_384)
        #endif
        for call in calls { call.cancel() }
        while runtime.taskCount > 0 { await Task.yield() }
    }
}

/// What the process holds.
enum Memory {
    /// Bytes of its pages; 0 where the system does not say.
    static var resident: Int {
        let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }

    /// How many threads there are; 1 where the system does not say.
    static func threadCount() throws -> Int {
        guard FileManager.default.fileExists(atPath: "/proc/self/task") else { return 1 }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
}
