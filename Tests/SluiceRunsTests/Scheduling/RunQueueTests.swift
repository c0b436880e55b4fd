import Testing

@testable import SluiceRuns

@Suite struct RunQueueTests {
    private let thread = ObjectIdentifier(RunScheduler.self)
    private let quantum: Int64 = 2_000_000

    /// A queue with runs, which are kept alive by the executors.
    private func queue(_ count: Int) -> (queue: RunQueue, ids: [Int], executors: [RunExecutor]) {
        let scheduler = RunScheduler(threads: 1)
        var queue = RunQueue()
        var ids: [Int] = []
        let executors = (0..<count).map { _ in RunExecutor(on: scheduler) }
        for executor in executors {
            let id = queue.nextID()
            queue.add(executor, id)
            ids.append(id)
        }
        return (queue, ids, executors)
    }

    @Test func aTurnComesOnceHoweverOftenItIsAskedFor() {
        let (made, ids, executors) = queue(1)
        var queue = made
        for _ in 0..<3 { queue.requestTurn(ids[0]) }
        #expect(queue.turnCount == 1)
        let first = queue.take(on: thread)
        let none = queue.take(on: thread)
        #expect(first?.id == ids[0] && none == nil && !queue.isIdle)
        // What is asked for while it works comes after it, once.
        for _ in 0..<2 { queue.requestTurn(ids[0]) }
        #expect(queue.turnCount == 0)
        queue.finish(ids[0], after: 1, quantum: quantum)
        #expect(queue.turnCount == 1)
        let second = queue.take(on: thread)
        queue.finish(ids[0], after: 1, quantum: quantum)
        let third = queue.take(on: thread)
        #expect(second?.id == ids[0] && third == nil && queue.isIdle)
        withExtendedLifetime(executors) {}
    }

    @Test func oneThatRestsDoesNotWaitBehindAHundredThatNeverRest() {
        let (made, ids, executors) = queue(101)
        var queue = made
        let ticker = ids[100]
        for id in ids.dropLast() { queue.requestTurn(id) }
        for _ in 0..<100 {  // each has had one turn
            guard let work = queue.take(on: thread) else { return #expect(Bool(false)) }
            queue.requestTurn(work.id)
            queue.finish(work.id, after: quantum, quantum: quantum)
        }
        for round in 0..<5000 {
            if round.isMultiple(of: 50) { queue.requestTurn(ticker) }
            guard let work = queue.take(on: thread) else { return #expect(Bool(false)) }
            #expect((work.id == ticker) == round.isMultiple(of: 50), "\(round)")
            if work.id != ticker { queue.requestTurn(work.id) }
            queue.finish(work.id, after: work.id == ticker ? quantum / 40 : quantum, quantum: quantum)
        }
        withExtendedLifetime(executors) {}
    }

    /// Turns of different lengths, and one run that rests for an instant after each: nobody has more than a share.
    @Test func theTimeIsShared() {
        let (made, ids, executors) = queue(4)
        var queue = made
        let lengths = [quantum, quantum / 4, quantum * 3, quantum / 2]
        var used: [Int64] = [0, 0, 0, 0]
        for id in ids { queue.requestTurn(id) }
        for _ in 0..<20_000 {
            guard let work = queue.take(on: thread), let index = ids.firstIndex(of: work.id) else {
                return #expect(Bool(false))
            }
            used[index] += lengths[index]
            if index != 3 { queue.requestTurn(work.id) }
            queue.finish(work.id, after: lengths[index], quantum: quantum)
            if index == 3 { queue.requestTurn(work.id) }
        }
        let (least, most) = (used.min() ?? 0, used.max() ?? 0)
        #expect(Double(most) < Double(least) * 1.05, "\(used)")
        withExtendedLifetime(executors) {}
    }

    /// A run that has rested for long has no claim to the time that the others had meanwhile.
    @Test func restIsNotSaved() {
        let (made, ids, executors) = queue(2)
        var queue = made
        queue.requestTurn(ids[0])
        for _ in 0..<1000 {
            _ = queue.take(on: thread)
            queue.requestTurn(ids[0])
            queue.finish(ids[0], after: quantum, quantum: quantum)
        }
        queue.requestTurn(ids[1])
        var order: [Int] = []
        for _ in 0..<12 {
            guard let work = queue.take(on: thread) else { return #expect(Bool(false)) }
            order.append(work.id)
            queue.requestTurn(work.id)
            queue.finish(work.id, after: quantum, quantum: quantum)
        }
        #expect(order.count { $0 == ids[1] } <= 7, "\(order)")
        withExtendedLifetime(executors) {}
    }
}
