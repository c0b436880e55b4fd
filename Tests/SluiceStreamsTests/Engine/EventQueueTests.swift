import Testing

@testable import SluiceStreams

@Suite struct EventQueueTests {
    @Test func ordersByTimeThenByScheduling() {
        var queue = EventQueue<Int>()
        var generator = Seeded(seed: 7)
        var expected: [(time: Int64, index: Int)] = []
        for index in 0..<2000 {
            let time = Int64.random(in: 0..<50, using: &generator)
            queue.schedule(index, at: StreamTime(nanoseconds: time))
            expected.append((time, index))
        }
        expected.sort { ($0.time, $0.index) < ($1.time, $1.index) }
        var taken: [Int] = []
        while let (_, event) = queue.take(by: StreamTime(nanoseconds: .max)) { taken.append(event) }
        #expect(taken == expected.map(\.index))
        #expect(queue.isEmpty)
    }

    @Test func takesOnlyWhatIsDue() {
        var queue = EventQueue<String>()
        queue.schedule("late", at: StreamTime(nanoseconds: 5))
        queue.schedule("early", at: StreamTime(nanoseconds: 2))
        #expect(queue.nextDue == StreamTime(nanoseconds: 2))
        #expect(queue.take(by: StreamTime(nanoseconds: 1)) == nil)
        #expect(queue.take(by: StreamTime(nanoseconds: 4))?.event == "early")
        #expect(queue.take(by: StreamTime(nanoseconds: 4)) == nil)
        #expect(queue.take(by: StreamTime(nanoseconds: 5))?.event == "late")
    }
}

/// SplitMix64.
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
