import Sluice
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// Positions without items in the buffer between a source and a run.
@Suite struct SourceBufferTests {
    private func text(_ step: SourceBufferState<Int>.Step) -> String {
        switch step {
        case .value(let value, let position): "\(value)@\(position ?? "")"
        case .position(let position): "@\(position)"
        case .end: "|"
        }
    }

    /// Returns all that waits, in order.
    private func drained(_ buffer: inout SourceBufferState<Int>) -> [String] {
        var steps: [String] = []
        while let (step, _) = buffer.take() { steps.append(text(step)) }
        return steps
    }

    @Test func manyPositionsLeaveTheLastOne() {
        var buffer = SourceBufferState<Int>(StreamBuffer(size: 2))
        for number in 0..<10_000 { buffer.mark("\(number)") }
        let hasRoom = buffer.hasRoom
        let steps = drained(&buffer)
        #expect(hasRoom && steps == ["@9999"])
    }

    @Test func positionsKeepTheirOrderAmongItems() {
        var buffer = SourceBufferState<Int>(StreamBuffer())
        for position in ["a", "b"] { buffer.mark(position) }
        let offers = [buffer.offer(1, at: "c"), buffer.offer(2, at: "d")]
        for position in ["e", "f", "g"] { buffer.mark(position) }
        let last = buffer.offer(3)
        buffer.mark("h")
        buffer.finish(.completed)
        buffer.mark("i")
        let steps = drained(&buffer)
        let taken = SourceBufferState<Int>.Offer.taken(dropped: false)
        #expect(offers == [taken, taken] && last == taken)
        #expect(steps == ["@b", "1@c", "2@d", "@g", "3@", "@h", "|"])
    }

    /// The buffer gives what a list gives from which each position is removed that another one follows.
    @Test func theOrderIsThatOfAList() {
        var random = Seeded(seed: 11)
        for _ in 0..<500 {
            var buffer = SourceBufferState<Int>(StreamBuffer(size: 1_000))
            var (expected, steps) = ([String](), [String]())
            for number in 0..<Int.random(in: 1...60, using: &random) {
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    if let (step, _) = buffer.take() { steps.append(text(step)) }
                case 1:
                    _ = buffer.offer(number, at: "\(number)")
                    expected.append("\(number)@\(number)")
                default:
                    buffer.mark("\(number)")
                    let isWaiting = steps.count < expected.count
                    if isWaiting, expected.last?.hasPrefix("@") ?? false { expected.removeLast() }
                    expected.append("@\(number)")
                }
            }
            steps += drained(&buffer)
            #expect(steps == expected)
        }
    }

    /// A source that goes on while a run takes nothing announces itself once, and a run that goes on gets the last
    /// position.
    @Test func aPausedRunIsNotifiedOnce() async throws {
        let count = Locked(0)
        let buffer = SourceBuffer<Int>(StreamBuffer(size: 2), name: "a", drops: DropCounter()) {
            count.withLock { $0 += 1 }
        }
        for number in 0..<10_000 { buffer.mark("\(number)") }
        try await buffer.send(1, at: "10000")
        for number in 10_001..<20_000 { buffer.mark("\(number)") }
        var counts = [count.withLock { $0 }]
        var steps: [String] = []
        while let (step, _) = buffer.take() { steps.append(text(step)) }
        counts.append(count.withLock { $0 })
        buffer.mark("20000")
        let next = buffer.take().map { text($0.step) }
        counts.append(count.withLock { $0 })
        #expect(steps == ["@9999", "1@10000", "@19999"] && next == "@20000")
        // The run is notified again after each step that leaves more.
        #expect(counts == [1, 3, 4])
    }
}
