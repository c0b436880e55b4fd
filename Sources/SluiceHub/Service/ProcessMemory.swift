#if Hub
import Foundation

/// The memory of the process.
enum ProcessMemory {
    /// Returns memory that was freed to the system, where the C library is glibc, which keeps what lies between pieces that
    /// are in use.
    ///
    /// - Complexity: O(*n*) in the memory of the process; it blocks for some milliseconds.
    static func returnFreed() {
        #if os(Linux)
        // Swift's module of glibc does not declare it, and other C libraries don't have it.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (Int) -> Int32
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
        #endif
    }
}
#endif
