import Testing

@testable import SluiceFilters

@Suite struct TokenBucketTests {
    private let second: Int64 = 1_000_000_000

    @Test func smooth() {
        let rate = TokenBucket.Rate(limit: 10, period: second, burst: 1)
        var bucket = TokenBucket()
        #expect(take(&bucket, at: 5, rate))
        #expect(!take(&bucket, at: 100_000_004, rate))
        #expect(bucket.nextToken(rate) == 100_000_005)
        #expect(take(&bucket, at: 100_000_005, rate))
        #expect(bucket.nextToken(after: 2, rate) == 400_000_005)
    }

    @Test func bursty() {
        let rate = TokenBucket.Rate(limit: 10, period: second, burst: 3)
        var bucket = TokenBucket()
        let atOnce = (0..<5).map { _ in take(&bucket, at: 0, rate) }
        #expect(atOnce == [true, true, true, false, false])
        #expect(!bucket.isFull(at: 299_999_999, rate))
        #expect(bucket.isFull(at: 300_000_000, rate))
        let later = (0..<5).map { _ in take(&bucket, at: 250_000_000, rate) }
        #expect(later == [true, true, false, false, false])
        #expect(bucket.nextToken(rate) == 300_000_000)
    }

    /// 3 a second have no whole number of nanoseconds between them: after an hour not one call is missing.
    @Test func doesNotDrift() {
        let rate = TokenBucket.Rate(limit: 3, period: second, burst: 1)
        var bucket = TokenBucket()
        var taken = 0
        var now: Int64 = 0
        while now < 3600 * second {
            if take(&bucket, at: now, rate) { taken += 1 }
            now = max(bucket.nextToken(rate), now)
        }
        #expect(taken == 3 * 3600)
        #expect(now == 3600 * second)
    }

    @Test func numbersThatMakeNoSense() {
        let rate = TokenBucket.Rate(limit: 0, period: -5, burst: -1)
        var bucket = TokenBucket()
        #expect(take(&bucket, at: 0, rate))
        #expect(!take(&bucket, at: 0, rate))
        #expect(take(&bucket, at: 1, rate))
        let huge = TokenBucket.Rate(limit: .max, period: .max, burst: .max)
        var full = TokenBucket()
        #expect(take(&full, at: .max, huge))
        #expect(full.nextToken(huge) < .max)
        let slow = TokenBucket.Rate(limit: 1, period: .max, burst: 1)
        var empty = TokenBucket()
        #expect(take(&empty, at: .max, slow))
        #expect(empty.nextToken(after: .max, slow) == .max)
    }

    private func take(_ bucket: inout TokenBucket, at now: Int64, _ rate: TokenBucket.Rate) -> Bool {
        bucket.take(at: now, rate)
    }
}
