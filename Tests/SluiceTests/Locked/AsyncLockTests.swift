import Sluice
import Testing

@Suite struct AsyncLockTests {
    private final class Record: Sendable {
        /// The tasks that have had the lock.
        let order = Locked<[Int]>([])
        /// The tasks that have it; one that meets another stays.
        let held = Locked<[Int]>([])
    }

    /// Tasks that wait, one of them canceled, get the lock one at a time and in the order of their calls.
    @Test func isGivenInOrder() async {
        let lock = AsyncLock()
        let record = Record()
        await lock.lock()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<10 {
            tasks.append(
                Task {
                    await lock.lock()
                    record.order.withLock { $0.append(number) }
                    record.held.withLock { $0.append(number) }
                    await Task.yield()
                    record.held.withLock { if $0 == [number] { $0 = [] } }
                    lock.unlock()
                }
            )
            while lock.waitingCount <= number { await Task.yield() }
        }
        tasks[3].cancel()
        lock.unlock()
        for task in tasks { await task.value }
        #expect(record.order.withLock { $0 } == Array(0..<10))
        // None had it together with another.
        #expect(record.held.withLock { $0 } == [])
        // It is free again.
        await lock.lock()
        lock.unlock()
    }
}
