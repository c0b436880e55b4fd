/// The sum of what was added within the last while, in ten slices: what is added leaves with its slice.
///
/// Finagle's `WindowedAdder`: the slice that is written and the nine before it count, so that an addition counts for
/// nine to ten slices. Numbers below zero may be added.
struct SlidingSum {
    private let slice: Int64
    private var slices = [Int64](repeating: 0, count: 10)
    /// Which slice is written.
    private var index = 0
    /// When the slice that is written ends.
    private var end: Int64
    private(set) var total: Int64 = 0

    /// - Parameter window: in nanoseconds, at least ten.
    init(window: Int64) {
        slice = max(window / 10, 1)
        end = slice
    }

    /// Lets go of what is too old at `now`; a time before the last one is taken for the last one.
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

    /// Adds to the slice of the last time it was told.
    mutating func add(_ amount: Int64) {
        slices[index] += amount
        total += amount
    }
}
