import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The priority of the threads that work for runs, and not for requests.
///
/// Runs that never rest may take all processors. The threads that answer requests come before them, so that a request is
/// answered as fast as if the runs had a fraction of a processor.
enum ThreadPriority {
    /// The priority in the terms of `nice`: against one thread of the usual priority, a thread has a quarter of a processor.
    static let niceness = 5

    /// Lowers the priority of the thread that calls. It can't be raised again: the thread is the caller's own.
    static func lower() {
        // Linux has a priority for each thread; 0 is the one that calls.
        guard let current else { return }
        let lowered = Int32(min(current + niceness, 19))
        #if canImport(Glibc)
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, lowered)
        #elseif canImport(Musl)
        _ = setpriority(PRIO_PROCESS, 0, lowered)
        #endif
    }

    /// The priority of the thread that calls, in the terms of `nice`; `nil` where the system has none for each thread.
    static var current: Int? {
        #if canImport(Glibc)
        Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
        #elseif canImport(Musl)
        Int(getpriority(PRIO_PROCESS, 0))
        #else
        nil
        #endif
    }
}
