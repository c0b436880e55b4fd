import SluiceExpressions
import Testing

struct MapTests {
    /// Small maps are looked through, larger ones have a table: both find the same.
    @Test(arguments: [3, 8, 9, 100])
    func keysAreFoundByValue(_ count: Int64) throws {
        let entries = (0..<count).map { (CELValue.int($0), CELValue.string("\($0)")) }
        let map = try #require(CELMap(entries + [(.string("é"), 1), (.bool(true), 2), (.uint(.max), 3)]))
        #expect(map[.int(2)] == "2")
        #expect(map[.uint(2)] == "2")
        #expect(map[.double(2)] == "2")
        #expect(map[.double(2.5)] == nil)
        #expect(map[.double(.nan)] == nil)
        #expect(map[.uint(.max)] == 3)
        #expect(map["é"] == 1)
        #expect(map["e\u{301}"] == nil)
        #expect(map[.bool(true)] == 2)
        #expect(map[.bool(false)] == nil)
        #expect(map[.list([])] == nil)
        #expect(map.map(\.key).prefix(2) == [0, 1])
        #expect(CELMap(entries + [(.uint(1), 1)]) == nil)
    }

    @Test func aLargeIntIsNoDoubleNextToIt() throws {
        let map = try #require(CELMap([(.int(9_007_199_254_740_993), 1)]))
        #expect(map[.double(9_007_199_254_740_992)] == nil)
    }
}
