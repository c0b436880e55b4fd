/// A count of the hits among the last calls: a ring of outcomes and a running sum. Recording is O(1).
struct CountWindow: Sendable {
    private var ring: [Bool]
    private var next = 0
    /// The number of calls in the window.
    private(set) var calls = 0
    private(set) var hits = 0

    /// Creates a window of the last `size` calls; below 1 counts as 1.
    init(size: Int) { ring = Array(repeating: false, count: max(size, 1)) }

    mutating func record(_ isHit: Bool) {
        if calls < ring.count { calls += 1 } else if ring[next] { hits -= 1 }
        if isHit { hits += 1 }
        ring[next] = isHit
        next = next + 1 == ring.count ? 0 : next + 1
    }
}

/// A count of the hits among the calls of a time span, in slices: the current one and the closed ones before it.
///
/// An outcome that was recorded at `t` is dropped when the slice of `t` is `slices` behind the current one: after at
/// least (`slices` - 1) / `slices` of the span, and at most all of it. Recording is O(1), after a pause O(`slices`).
struct TimeWindow: Sendable {
    private var tallies: [(calls: Int, hits: Int)]
    private var running: Int64 = 0
    private let slice: Int64
    private(set) var calls = 0
    private(set) var hits = 0

    /// Creates a window of the last `span` nanoseconds in `slices` parts; both count as at least 1.
    init(span: Int64, slices: Int) {
        let slices = max(slices, 1)
        tallies = Array(repeating: (0, 0), count: slices)
        slice = max(span / Int64(slices), 1)
    }

    mutating func record(_ isHit: Bool, at now: Int64) {
        advance(to: now)
        let index = Int(running % Int64(tallies.count))
        tallies[index].calls += 1
        calls += 1
        if isHit {
            tallies[index].hits += 1
            hits += 1
        }
    }

    /// Drops outcomes that are too old at `now`; a time before the last one counts as the last one.
    mutating func advance(to now: Int64) {
        let target = max(now, 0) / slice
        guard target > running else { return }
        let count = Int64(tallies.count)
        for step in 1...min(target - running, count) {
            let index = Int((running + step) % count)
            calls -= tallies[index].calls
            hits -= tallies[index].hits
            tallies[index] = (0, 0)
        }
        running = target
    }
}
