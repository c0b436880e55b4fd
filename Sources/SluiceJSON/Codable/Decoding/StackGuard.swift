#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A guard of the remaining stack of the current thread.
///
/// Types are decoded recursively, by their own code, the standard library's, and ours. The stack that a level takes
/// depends on the types, so that no fixed number of levels is safe on every thread. A deep text is therefore decoded
/// with a check of the stack.
struct StackGuard {
    /// The address below which decoding stops.
    private let floor: UInt

    /// Creates the guard of the current thread, which reserves a sixth of the stack, at least 64 KB, for the code at
    /// the end.
    init() {
        let here = StackGuard.here
        if let (start, size) = StackGuard.bounds() {
            // The address sanitizer keeps local variables elsewhere, so there is nothing to compare.
            floor = here > start && here <= start + size ? start + max(size / 6, 65_536) : 0
        } else {
            // The size of the stack is unknown: assume the smallest size of a thread pool's threads.
            floor = here > 262_144 ? here - 262_144 : 0
        }
    }

    /// Returns the lowest address of the thread's stack and its size.
    private static func bounds() -> (start: UInt, size: UInt)? {
        #if canImport(Darwin)
        let size = UInt(pthread_get_stacksize_np(pthread_self()))
        return (UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - size, size)
        #elseif canImport(Glibc)
        if let main = mainStack, here > main.start, here < main.start + main.size { return main }
        // A GNU extension, which its headers declare only with _GNU_SOURCE defined. The type is that of its manual
        // page.
        typealias Function = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt
        guard let symbol = dlsym(nil, "pthread_getattr_np") else { return nil }
        let attributesOfThread = unsafeBitCast(symbol, to: Function.self)
        var attributes = pthread_attr_t()
        guard attributesOfThread(pthread_self(), &attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &start, &size) == 0, let start, size > 0 else { return nil }
        return (UInt(bitPattern: start), UInt(size))
        #else
        return nil
        #endif
    }

    #if canImport(Glibc)
    /// The stack of the main thread, for which the system call below takes a tenth of a millisecond: it ends where the
    /// dynamic linker says, and grows to the limit of the process.
    private static let mainStack: (start: UInt, size: UInt)? = {
        guard let symbol = dlsym(nil, "__libc_stack_end") else { return nil }
        let end = symbol.load(as: UInt.self)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0 else { return nil }
        let size = UInt(min(limit.rlim_cur, 8 << 20))
        return end > size ? (end - size, size) : nil
    }()
    #endif

    /// A Boolean value that indicates whether the stack is nearly used up.
    var isReached: Bool { StackGuard.here < floor }

    /// The address of a local variable, which is compared but never dereferenced.
    private static var here: UInt {
        var local: UInt8 = 0
        return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }
}
