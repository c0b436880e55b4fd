/// The sum of the numbers that were added in the recent past, in ten slices: numbers are dropped with their slice.
///
/// This is Finagle's `WindowedAdder`: the current slice and the nine before it count, so that an addition counts for
/// nine to ten slices. Negative numbers may be added.
struct SlidingSum {
    private let slice: Int64
    private var slices = [Int64](repeating: 0, count: 10)
    /// The index of the current slice.
    private var index = 0
    /// The time at which the current slice ends.
    private var end: Int64
    private(set) var total: Int64 = 0

    /// - Parameter window: The window in nanoseconds, at least ten.
    init(window: Int64) {
        slice = max(window / 10, 1)
        end = slice
    }

    /// Drops slices that are too old at `now`; a time before the last one counts as the last one.
    ///
    /// - Complexity: O(1): at most ten slices are emptied.
    mutating func advance(to now: Int64) {
        guard now >= end else { return }
        let steps = (now - end) / slice + 1
        end += steps * slice
        for _ in 0..<min(steps, 10) {
            index = index == 9 ? 0 : index + 1
            total -= slices[index]
            slices[index] = 0
        }
    }

    /// Adds to the slice of the last time.
    mutating func add(_ amount: Int64) {
        slices[index] += amount
        total += amount
    }
}
