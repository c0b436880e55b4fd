import Sluice
import SluiceTestSupport
import Testing

/// An element that knows its index.
private final class Item: HeapElement {
    let key: Int
    var index = -1

    init(_ key: Int) { self.key = key }

    func precedes(_ other: Item) -> Bool { key < other.key }
    func noteIndex(_ index: Int) { self.index = index }
}

@Suite struct HeapTests {
    /// Random insertions and removals, beside a sorted array.
    @Test(arguments: 1...20)
    func leavesInOrder(_ seed: UInt64) {
        var random = Seeded(seed: seed)
        var heap = Heap<Item>()
        var items: [Item] = []
        for _ in 0..<500 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let least = items.map(\.key).min()
                let first = heap.popFirst()
                #expect(first?.key == least)
                items.removeAll { $0 === first }
            case 1 where !items.isEmpty:
                let item = items.remove(at: Int.random(in: 0..<items.count, using: &random))
                #expect(heap.remove(at: item.index) === item)
                #expect(item.index == -1)
            case 2 where items.count > 20:
                heap.removeAll { $0.key % 3 == 0 }
                for item in items where item.key % 3 == 0 { #expect(item.index == -1) }
                items.removeAll { $0.key % 3 == 0 }
            default:
                let item = Item(Int.random(in: 0..<100, using: &random))
                items.append(item)
                heap.insert(item)
            }
            #expect(heap.count == items.count)
            #expect(heap.first?.key == items.map(\.key).min())
            for (index, item) in heap.unordered.enumerated() { #expect(item.index == index) }
        }
        var keys: [Int] = []
        while let item = heap.popFirst() { keys.append(item.key) }
        #expect(keys == items.map(\.key).sorted())
        #expect(heap.isEmpty)
    }
}
