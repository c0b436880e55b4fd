#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How far the stack of the current thread may still grow.
///
/// Types are decoded by recursion: theirs, the standard library's, ours. How much stack a level takes is the types' own
/// matter, so that no count of levels is safe on every thread; a deep text is therefore decoded with an eye on the stack.
struct StackGuard {
    /// Below this address decoding stops.
    private let floor: UInt

    /// The guard of the current thread, which keeps a sixth of the stack, at least 64 KB, for whatever runs at the end.
    init() {
        if let (start, size) = StackGuard.bounds() {
            floor = start + max(size / 6, 65_536)
        } else {
            // Nobody says how large the stack is: as much as the smallest that threads of a pool have leaves.
            let here = StackGuard.here
            floor = here > 262_144 ? here - 262_144 : 0
        }
    }

    /// The lowest address of the thread's stack and its size.
    private static func bounds() -> (start: UInt, size: UInt)? {
        #if canImport(Darwin)
        let size = UInt(pthread_get_stacksize_np(pthread_self()))
        return (UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())) - size, size)
        #elseif canImport(Glibc)
        // An extension of GNU, which its headers show to those only who define _GNU_SOURCE. The type is that of its
        // manual page.
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

    /// Whether the stack is nearly used up.
    var isReached: Bool { StackGuard.here < floor }

    /// The address of a local variable: it is compared, never read through.
    private static var here: UInt {
        var local: UInt8 = 0
        return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }
}
