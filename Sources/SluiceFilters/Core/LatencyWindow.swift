internal import Sluice

/// The durations of the calls within the last half minute, with any quantile.
///
/// It consists of three histograms of ten seconds each: one is filled while the two before it still count. A bucket is
/// at most 1.6 % of its value wide (64 buckets for each power of two); times from 18 minutes on share the last one. The
/// quantile is the upper end of its bucket, computed again every three seconds.
final class LatencyWindow: Sendable {
    private let state = Locked(State())
    private let quantile: Double
    private let leastCount: Int

    /// - Parameters:
    ///   - quantile: The quantile to compute, from 0 to 1.
    ///   - leastCount: The minimum number of calls for a result.
    init(quantile: Double, leastCount: Int) {
        self.quantile = quantile
        self.leastCount = leastCount
    }

    /// Adds a call that took `duration`, in nanoseconds.
    func record(_ duration: Int64, now: Int64) {
        state.withLock { state in
            state.advance(to: now)
            state.histograms[state.current].add(duration)
        }
    }

    /// Returns the quantile in nanoseconds as of the last computation, at most three seconds ago; `nil` in the first
    /// three seconds, and with too few calls.
    func value(now: Int64) -> Int64? {
        state.withLock { state in
            guard let last = state.lastLook else {
                state.lastLook = now
                return nil
            }
            if now - last >= State.look {
                state.advance(to: now)
                state.lastLook = now
                state.value = state.quantile(quantile, leastCount: leastCount)
            }
            return state.value
        }
    }

    private struct State {
        static let slice: Int64 = 10_000_000_000
        static let look: Int64 = 3_000_000_000

        var histograms = [LatencyHistogram](repeating: LatencyHistogram(), count: 3)
        var current = 0
        var sliceNumber: Int64 = 0
        var lastLook: Int64?
        var value: Int64?

        mutating func advance(to now: Int64) {
            let number = now / Self.slice
            guard number > sliceNumber else { return }
            for _ in 0..<min(number - sliceNumber, 3) {
                current = (current + 1) % 3
                histograms[current].clear()
            }
            sliceNumber = number
        }

        func quantile(_ quantile: Double, leastCount: Int) -> Int64? {
            let count = histograms.reduce(0) { $0 + $1.count }
            guard count >= max(leastCount, 1) else { return nil }
            // The least value that at least this share of the calls does not exceed.
            var rank = max(Int((quantile * Double(count)).rounded(.up)), 1)
            for bucket in 0..<LatencyHistogram.size {
                rank -= histograms.reduce(0) { $0 + $1.count(of: bucket) }
                if rank <= 0 { return LatencyHistogram.upperEnd(of: bucket) }
            }
            return LatencyHistogram.upperEnd(of: LatencyHistogram.size - 1)
        }
    }
}

/// Counts of durations in buckets that grow with the duration.
struct LatencyHistogram {
    private static let bits = 6
    private static let greatest: Int64 = 1 << 40 - 1
    static let size = bucket(of: greatest) + 1

    private var counts: [UInt32] = []
    private(set) var count = 0

    mutating func add(_ duration: Int64) {
        if counts.isEmpty { counts = [UInt32](repeating: 0, count: Self.size) }
        counts[Self.bucket(of: min(max(duration, 0), Self.greatest))] += 1
        count += 1
    }

    mutating func clear() {
        for index in counts.indices { counts[index] = 0 }
        count = 0
    }

    func count(of bucket: Int) -> Int { counts.isEmpty ? 0 : Int(counts[bucket]) }

    /// Returns the bucket of a duration: one for each nanosecond below 128 ns, then 64 for each power of two.
    static func bucket(of duration: Int64) -> Int {
        let shift = max(63 - bits - (duration | 1).leadingZeroBitCount, 0)
        return shift << bits + Int(duration >> Int64(shift))
    }

    /// Returns the greatest duration of a bucket.
    static func upperEnd(of bucket: Int) -> Int64 {
        let shift = max(bucket >> bits - 1, 0)
        return Int64(bucket - shift << bits + 1) << Int64(shift) - 1
    }
}
