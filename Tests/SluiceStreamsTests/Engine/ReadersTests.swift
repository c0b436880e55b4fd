import SluiceTestSupport
import Testing

@testable import SluiceStreams

@Suite struct ReadersTests {
    /// Against a sorted list.
    @Test func keepsTheOrder() {
        var readers = Readers<Int>()
        var expected: [Int] = []
        var generator = Seeded(seed: 5)
        var seen = 0
        for step in 0..<5000 {
            if Int.random(in: 0..<5, using: &generator) < 3 || expected.isEmpty {
                expected.append(readers.add(Sink(lifetime: Lifetime(), end: { _ in }, receive: { seen += $0 })))
            } else {
                let id = expected.remove(at: Int.random(in: 0..<expected.count, using: &generator))
                let (first, second) = (readers.remove(id), readers.remove(id))
                #expect(first && !second)
            }
            #expect(readers.count == expected.count)
            if step % 100 == 0 {
                seen = 0
                readers.forEach { $0.receive(1) }
                #expect(seen == expected.count)
            }
        }
    }

    /// A subscriber that returns with its previous number gets its previous position; new ones follow.
    @Test func takesUpFormerNumbers() {
        var readers = Readers<Int>()
        var seen: [Int] = []
        func sink(_ name: Int) -> Sink<Int> {
            Sink(lifetime: Lifetime(), end: { _ in }, receive: { _ in seen.append(name) })
        }
        #expect(readers.add(sink(5), as: 5) == 5)
        #expect(readers.add(sink(2), as: 2) == 2)
        #expect(readers.add(sink(6)) == 6)
        readers.forEach { $0.receive(0) }
        #expect(seen == [2, 5, 6])
    }

    /// A subscriber that is added or removed while a value is passed on does not receive it.
    @Test func changesWhilePassingOn() {
        let readers = Cell(Readers<Int>())
        var seen: [String] = []
        let second = Lifetime()
        let first = Sink<Int>(lifetime: Lifetime(), end: { _ in }) { value in
            seen.append("first \(value)")
            second.close()
            _ = readers.state.add(Sink(lifetime: Lifetime(), end: { _ in }) { seen.append("third \($0)") })
        }
        _ = readers.state.add(first)
        _ = readers.state.add(Sink(lifetime: second, end: { _ in }) { seen.append("second \($0)") })
        readers.state.forEach { $0.receive(1) }
        #expect(seen == ["first 1"])
    }
}
