import Foundation

/// The processor time of the process so far, in nanoseconds.
var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

/// Returns the least processor time of one call of `body`, in nanoseconds, over a number of rounds.
func leastProcessorTime(rounds: Int = 3, _ body: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<rounds {
        // As often as it takes for 5 ms, so that the clock's own steps don't count.
        var (count, spent) = (0.0, 0.0)
        let begun = processorTime
        repeat {
            try body()
            count += 1
            spent = processorTime - begun
        } while spent < 5e6
        least = min(least, spent / count)
    }
    return least
}
