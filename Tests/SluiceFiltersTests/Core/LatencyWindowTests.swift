import Testing

@testable import SluiceFilters

@Suite struct LatencyWindowTests {
    private static let second: Int64 = 1_000_000_000

    @Test func bucketsAreNarrow() {
        for duration: Int64 in [0, 1, 63, 64, 127, 128, 129, 1000, 4095, 4096, 1_000_000, 123_456_789, 1 << 40 - 1] {
            let bucket = LatencyHistogram.bucket(of: duration)
            let end = LatencyHistogram.upperEnd(of: bucket)
            #expect(end >= duration)
            #expect(Double(end - duration) <= Double(duration) / 64)
            #expect(LatencyHistogram.bucket(of: end) == bucket)
            #expect(LatencyHistogram.bucket(of: end + 1) == bucket + 1)
        }
        #expect(
            (0..<LatencyHistogram.size - 1).allSatisfy {
                LatencyHistogram.upperEnd(of: $0) < LatencyHistogram.upperEnd(of: $0 + 1)
            }
        )
    }

    @Test func quantileOfAThousand() {
        let window = LatencyWindow(quantile: 0.99, leastCount: 1)
        #expect(window.value(now: 0) == nil)
        for milliseconds in 1...1000 { window.record(Int64(milliseconds) * 1_000_000, now: 0) }
        #expect(window.value(now: 3 * Self.second - 1) == nil)
        let value = window.value(now: 3 * Self.second) ?? 0
        #expect((990_000_000...1_006_000_000).contains(value))
        #expect(LatencyHistogram.bucket(of: value) == LatencyHistogram.bucket(of: 990_000_000))
    }

    @Test func oldTimesLeaveAfterThirtySeconds() {
        let window = LatencyWindow(quantile: 1, leastCount: 1)
        _ = window.value(now: 0)
        window.record(100, now: 9 * Self.second)
        window.record(5, now: 10 * Self.second)
        #expect(window.value(now: 29 * Self.second) == 100)
        #expect(window.value(now: 32 * Self.second) == 5)
        #expect(window.value(now: 41 * Self.second) == nil)
    }

    @Test func aFewCallsSayNothing() {
        let window = LatencyWindow(quantile: 0.5, leastCount: 3)
        _ = window.value(now: 0)
        window.record(7, now: 1)
        window.record(-7, now: 1)
        #expect(window.value(now: 3 * Self.second) == nil)
        window.record(.max, now: 3 * Self.second)
        #expect(window.value(now: 6 * Self.second) == 7)
    }
}
