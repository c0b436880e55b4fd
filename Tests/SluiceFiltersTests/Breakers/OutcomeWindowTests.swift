import Testing

@testable import SluiceFilters

@Suite struct OutcomeWindowTests {
    @Test func countWindowForgetsTheOldest() {
        var window = CountWindow(size: 3)
        #expect((window.calls, window.hits) == (0, 0))
        for isHit in [true, true, false] { window.record(isHit) }
        #expect((window.calls, window.hits) == (3, 2))
        window.record(false)
        #expect((window.calls, window.hits) == (3, 1))
        window.record(true)
        window.record(true)
        #expect((window.calls, window.hits) == (3, 2))
        window.record(true)
        #expect((window.calls, window.hits) == (3, 3))
    }

    /// Against the plain way: all outcomes, and the last ones counted.
    @Test(arguments: [1, 2, 7, 100]) func countWindowIsExact(size: Int) {
        var window = CountWindow(size: size)
        var all: [Bool] = []
        let random = RandomSource(seed: 3)
        for _ in 0..<500 {
            let isHit = random.double() < 0.3
            window.record(isHit)
            all.append(isHit)
            #expect(window.calls == min(all.count, size))
            #expect(window.hits == all.suffix(size).count { $0 })
        }
    }

    @Test func timeWindowAtItsBorders() {
        var window = TimeWindow(span: 10, slices: 5)
        window.record(true, at: 0)
        window.record(false, at: 1)
        window.record(true, at: 2)
        #expect((window.calls, window.hits) == (3, 2))
        window.advance(to: 9)
        #expect((window.calls, window.hits) == (3, 2))
        // The slice of 0 and 1 is forgotten when the one from 10 on begins.
        window.advance(to: 10)
        #expect((window.calls, window.hits) == (1, 1))
        window.advance(to: 11)
        #expect((window.calls, window.hits) == (1, 1))
        window.advance(to: 12)
        #expect((window.calls, window.hits) == (0, 0))
    }

    @Test func timeWindowAfterAPause() {
        var window = TimeWindow(span: 10, slices: 5)
        for time in 0..<10 { window.record(true, at: Int64(time)) }
        #expect(window.calls == 10)
        window.record(false, at: 1_000_000_000_000)
        #expect((window.calls, window.hits) == (1, 0))
        // Time that goes backward counts as now.
        window.record(true, at: 3)
        #expect((window.calls, window.hits) == (2, 1))
    }

    /// Against the plain way: all outcomes with their slices.
    @Test(arguments: [1, 3, 10]) func timeWindowIsExact(slices: Int) {
        var window = TimeWindow(span: 1000, slices: slices)
        let slice = Int64(1000 / slices)
        var all: [(slice: Int64, isHit: Bool)] = []
        let random = RandomSource(seed: 5)
        var now: Int64 = 0
        for _ in 0..<1000 {
            now += Int64(random.below(random.double() < 0.01 ? 3000 : 60))
            let isHit = random.double() < 0.5
            window.record(isHit, at: now)
            all.append((now / slice, isHit))
            let inside = all.filter { now / slice - $0.slice < Int64(slices) }
            #expect(window.calls == inside.count)
            #expect(window.hits == inside.count { $0.isHit })
        }
    }

    @Test func sizesBelowOneCountAsOne() {
        var count = CountWindow(size: 0)
        count.record(true)
        count.record(false)
        #expect((count.calls, count.hits) == (1, 0))
        var time = TimeWindow(span: 0, slices: 0)
        time.record(true, at: 5)
        #expect((time.calls, time.hits) == (1, 1))
        time.advance(to: 6)
        #expect(time.calls == 0)
    }

    @Test func averageOfUnevenSamples() {
        var average = Average(window: 1000)
        average.update(1, at: 0)
        #expect(average.value == 1)
        average.update(0, at: 500)
        #expect(abs(average.value - 0.606_530_659_712_633_4) < 1e-9)
        average.update(1, at: 1500)
        // 1 - e⁻¹ + e⁻¹ × the value before.
        #expect(abs(average.value - 0.855_250_718_976_987_6) < 1e-9)
        average.update(0, at: 1500)
        #expect(abs(average.value - 0.855_250_718_976_987_6) < 1e-9)
        average.update(0, at: 1000)
        #expect(abs(average.value - 0.855_250_718_976_987_6) < 1e-9)
        average.reset()
        average.update(0.25, at: 9)
        #expect(average.value == 0.25)
        var last = Average(window: 0)
        last.update(1, at: 0)
        last.update(0.5, at: 1)
        #expect(last.value == 0.5)
    }
}
