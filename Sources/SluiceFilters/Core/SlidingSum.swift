/// The sum of what was added within the last while, in ten slices: what is added leaves with its slice.
///
/// Finagle's `WindowedAdder`: the slice that is written and the nine before it count, so that an addition counts for
/// nine to ten slices. Numbers below zero may be added.
struct SlidingSum {
    private let slice: Int64
    private var slices = [Int64](repeating: 0, count: 10)
    /// The number of the slice that is written, counted from time 0.
    private var current: Int64 = 0
    private(set) var total: Int64 = 0

    /// - Parameter window: in nanoseconds, at least ten.
    init(window: Int64) { slice = max(window / 10, 1) }

    /// Lets go of what is too old at `now`; a time before the last one is taken for the last one.
    ///
    /// - Complexity: O(1): at most ten slices are emptied.
    mutating func advance(to now: Int64) {
        let number = now / slice
        guard number > current else { return }
        if number - current >= 10 {
            for index in 0..<10 { slices[index] = 0 }
            total = 0
        } else {
            for skipped in current + 1...number {
                let index = Int(skipped % 10)
                total -= slices[index]
                slices[index] = 0
            }
        }
        current = number
    }

    /// Adds to the slice of the last time it was told.
    mutating func add(_ amount: Int64) {
        slices[Int(current % 10)] += amount
        total += amount
    }
}
