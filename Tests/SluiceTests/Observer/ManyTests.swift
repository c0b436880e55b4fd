import Dispatch
import Sluice
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Eight times as many listeners, branches, or waiting tasks cost about eight times as much, not sixty-four times.
@Suite(.serialized) struct ManyTests {
    /// The time of this thread's processor that `body` takes.
    static func once(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }
        let start = now()
        body()
        return now() - start
    }

    /// The least of three rounds.
    static func time(_ body: () -> Void) -> Double { (0..<3).map { _ in once(body) }.min() ?? 0 }

    /// Expects that the time of `body` grows less than thirty times where its size grows eight times.
    static func expectLinear(_ body: (Int) -> Void) {
        let (few, many) = (time { body(2500) }, time { body(20_000) })
        #expect(many < 30 * few, "\(few / 1e6) ms for 2,500, \(many / 1e6) ms for 20,000")
    }

    @Test func branchesCanceledInReverse() {
        Self.expectLinear { count in
            let root = Context<Int>()
            let branches = (0..<count).map { index in root.map { $0 + index } }
            for branch in branches.reversed() { branch.cancel() }
        }
    }

    @Test func branchesCanceledInOrder() {
        Self.expectLinear { count in
            let root = Context<Int>()
            let branches = (0..<count).map { index in root.map { $0 + index } }
            for branch in branches { branch.cancel() }
        }
    }

    @Test func branchesCanceledFromBothEnds() {
        Self.expectLinear { count in
            let root = Context<Int>()
            root.onCompleted { _ in }
            let branches = (0..<count).map { index in root.map { $0 + index } }
            for index in branches.indices { branches[(index * 7919) % count].cancel() }
        }
    }

    @Test func combinationsCanceledInReverse() {
        Self.expectLinear { count in
            let (root, other) = (Context<Int>(), Context<Int>())
            let branches = (0..<count).map { _ in root.combine(other) }
            for branch in branches.reversed() { branch.cancel() }
        }
    }

    /// An executor that runs jobs at once, or keeps them until the test runs them.
    final class Executor: SerialExecutor {
        private let kept = Locked<[UnownedJob]?>(nil)

        var count: Int { kept.withLock { $0?.count ?? 0 } }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isKept = kept.withLock { kept in
                kept?.append(job)
                return kept != nil
            }
            if !isKept { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }

        func keep() { kept.withLock { $0 = [] } }

        /// Runs the jobs that were kept, on this thread.
        func run() {
            let due = kept.withLock { kept in
                defer { kept = nil }
                return kept ?? []
            }
            for job in due { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }

    actor Place {
        private let executor: Executor
        private let heard: Recorder<Int>
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: Executor, _ heard: Recorder<Int>) {
            self.executor = executor
            self.heard = heard
        }

        func listen(_ call: Observer<Int>) { call.onCompleted { self.heard($0) } }
    }

    /// Returns the time of the end of a call with listeners on `count` actors, and of all the deliveries.
    func deliver(to count: Int) async -> Double {
        var least = Double.infinity
        for _ in 0..<3 {
            let (executor, heard, root) = (Executor(), Recorder<Int>(), Context<Int>())
            let places = (0..<count).map { _ in Place(executor, heard) }
            for place in places { await place.listen(root) }
            executor.keep()
            let end = Self.once { root.emit(1) }
            while executor.count < count { await Task.yield() }
            least = min(least, end + Self.once { executor.run() })
            #expect(heard.elements.count == count)
        }
        return least
    }

    @Test func listenersOnManyActors() async {
        let (few, many) = (await deliver(to: 1250), await deliver(to: 10_000))
        #expect(many < 30 * few, "\(few / 1e6) ms for 1,250, \(many / 1e6) ms for 10,000")
    }
}
