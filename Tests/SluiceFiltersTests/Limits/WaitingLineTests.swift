import Testing

@testable import SluiceFilters

@Suite struct WaitingLineTests {
    private var line = WaitingLine<String>(capacity: 3)

    private mutating func join(_ name: String, _ priority: Int = 0) -> (id: Int, evicted: String?)? {
        line.join(name, priority: priority)
    }

    private mutating func all() -> [String] {
        var names: [String] = []
        while let name = line.popFirst() { names.append(name) }
        return names
    }

    @Test mutating func firstComeFirstServed() {
        for name in ["a", "b", "c"] { #expect(Bool(line.join(name, priority: 0) != nil)) }
        let refused = join("d")
        #expect(refused == nil)
        #expect(line.count == 3)
        let order = all()
        #expect(order == ["a", "b", "c"])
        #expect(line.isEmpty)
    }

    @Test mutating func higherPrioritiesFirst() {
        _ = join("low", -1)
        _ = join("high", 7)
        _ = join("middle", 0)
        #expect(line.countBefore(priority: 0) == 2)
        let order = all()
        #expect(order == ["high", "middle", "low"])
    }

    @Test mutating func theLastOfTheLowestMakesRoom() {
        _ = join("a", 1)
        _ = join("b", 0)
        _ = join("c", 0)
        let first = join("d", 1)
        #expect(first?.evicted == "c")
        let same = join("e", 0)
        #expect(same == nil)
        let second = join("f", 2)
        #expect(second?.evicted == "b")
        let third = join("g", 1)
        #expect(third == nil)
        let order = all()
        #expect(order == ["f", "a", "d"])
    }

    @Test mutating func whoLeavesIsNotServed() {
        let a = join("a")
        _ = join("b")
        let isRemoved = line.remove(a?.id ?? 0)
        #expect(isRemoved)
        let again = line.remove(a?.id ?? 0)
        #expect(!again)
        _ = join("c")
        _ = join("d")
        let order = all()
        #expect(order == ["b", "c", "d"])
    }

    @Test func noRoomAtAll() {
        var line = WaitingLine<Int>(capacity: -1)
        let place = line.join(1, priority: 9)
        #expect(place == nil)
    }

    /// Against a sorted array.
    @Test func isExact() {
        var line = WaitingLine<Int>(capacity: 20)
        var model: [(priority: Int, id: Int)] = []
        let random = RandomSource(seed: 11)
        for step in 0..<5000 {
            switch random.below(10) {
            case 0..<5:
                let priority = Int(random.below(4))
                let joined = line.join(step, priority: priority)
                if model.count == 20, (model.last?.priority ?? 0) < priority { model.removeLast() }
                guard let (id, _) = joined else {
                    #expect(model.count == 20)
                    continue
                }
                let position = model.firstIndex { $0.priority < priority } ?? model.endIndex
                model.insert((priority, id), at: position)
            case 5..<8:
                let taken = line.popFirst()
                #expect((taken == nil) == model.isEmpty)
                if !model.isEmpty { model.removeFirst() }
            default:
                guard !model.isEmpty else { continue }
                let leaving = model.remove(at: Int(random.below(UInt64(model.count))))
                let isRemoved = line.remove(leaving.id)
                #expect(isRemoved)
            }
            #expect(line.count == model.count)
        }
    }
}
