import SluiceTestSupport
import Testing

@testable import Sluice

@Suite struct DequeTests {
    /// Random operations, beside an array.
    @Test(arguments: 1...20)
    func isAQueue(_ seed: UInt64) {
        var random = Seeded(seed: seed)
        var queue = Deque<Int>()
        var array: [Int] = []
        for number in 0..<2_000 {
            // The queue grows in one half of the time, and shrinks in the other.
            switch Int.random(in: 0..<10, using: &random) + (number / 500 % 2 == 0 ? 0 : 3) {
            case 9...:
                #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
            case 8 where !array.isEmpty:
                queue.replaceLast(with: -number)
                array[array.count - 1] = -number
            default:
                queue.append(number)
                array.append(number)
            }
            #expect(queue.count == array.count)
            #expect(queue.first == array.first)
            #expect(queue.last == array.last)
        }
        #expect(queue.all == array)
        queue.removeAll()
        #expect(queue.isEmpty)
        #expect(queue.popFirst() == nil)
    }

    @Test func givesALargeBufferBack() {
        var queue = Deque<Int>()
        for number in 0..<5_000 { queue.append(number) }
        for number in 0..<5_000 { #expect(queue.popFirst() == number) }
        #expect(queue.capacity == 0)
        queue.append(1)
        #expect(queue.all == [1])
    }
}
