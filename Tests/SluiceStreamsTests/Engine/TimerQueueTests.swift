import SluiceTestSupport
import Testing

@testable import SluiceStreams

@Suite struct TimerQueueTests {
    /// Arms, disarms, and rearms timers at random; a sorted list gives the expected result.
    @Test func ordersByTimeThenByArming() {
        var queue = TimerQueue()
        var generator = Seeded(seed: 7)
        let timers = (0..<500).map { _ in Timer {} }
        var expected: [Int: (time: Int64, order: Int64)] = [:]
        for order in 1...5000 {
            let index = Int.random(in: 0..<timers.count, using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                queue.disarm(timers[index])
                expected[index] = nil
            } else {
                let time = Int64.random(in: 0..<50, using: &generator)
                queue.arm(timers[index], at: StreamTime(nanoseconds: time), order: Int64(order))
                expected[index] = (time, Int64(order))
            }
            #expect(queue.count == expected.count)
        }
        var taken: [ObjectIdentifier] = []
        while let (_, _, timer) = queue.take(by: StreamTime(nanoseconds: .max)) {
            taken.append(ObjectIdentifier(timer))
        }
        let sorted = expected.sorted { ($0.value.time, $0.value.order) < ($1.value.time, $1.value.order) }
        #expect(taken == sorted.map { ObjectIdentifier(timers[$0.key]) })
        #expect(queue.count == 0 && queue.nextDue == nil)
    }

    @Test func takesOnlyWhatIsDue() {
        var queue = TimerQueue()
        let (late, early) = (Timer {}, Timer {})
        queue.arm(late, at: StreamTime(nanoseconds: 5), order: 1)
        queue.arm(early, at: StreamTime(nanoseconds: 2), order: 2)
        #expect(queue.nextDue == StreamTime(nanoseconds: 2))
        #expect(queue.take(by: StreamTime(nanoseconds: 1)) == nil)
        #expect(queue.take(by: StreamTime(nanoseconds: 4))?.timer === early)
        #expect(queue.take(by: StreamTime(nanoseconds: 4)) == nil)
        #expect(!early.isArmed && late.isArmed)
        #expect(queue.take(by: StreamTime(nanoseconds: 5))?.timer === late)
    }

    /// A timer that is rearmed for every item, as in a debounce, leaves no more dead entries than live ones.
    @Test func deadEntriesAreBuried() {
        var queue = TimerQueue()
        let timer = Timer {}
        for order in 1...100_000 { queue.arm(timer, at: StreamTime(nanoseconds: Int64(order)), order: Int64(order)) }
        #expect(queue.count == 1)
        #expect(queue.entryCount < 200)
    }
}
