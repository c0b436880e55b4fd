import Foundation

/// The time that work takes of a processor, whatever else the machine does.
package enum ProcessorTime {
    /// The processor time of this thread, in nanoseconds.
    package static var ofThread: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
