#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The depth of nested ends on this thread, and the steps that were postponed.
///
/// An end passes through derived observers, and a body may end or derive others, by nested calls. Beyond a limit the
/// next step is postponed until the thread is back at the outermost call, so that a chain of any length (a poll that
/// restarts itself with `map`, say) cannot exhaust a thread's stack. Below the limit nothing is allocated.
final class Depth {
    private static let limit = 32

    private var depth = 0
    private var postponed: [() -> Void] = []

    /// Runs `step` one level deeper: immediately, or later if this thread is at the limit.
    static func descend(_ step: @escaping () -> Void) {
        let here = current
        guard here.depth < limit else { return here.postponed.append(step) }
        here.run(step)
    }

    /// Runs `step` one level deeper, immediately; returns `false` without running it if this thread is at the limit.
    static func descend(now step: () -> Void) -> Bool {
        let here = current
        guard here.depth < limit else { return false }
        here.run(step)
        return true
    }

    /// A Boolean value that indicates whether this thread is at the limit, so that steps are postponed.
    static var isDeep: Bool { current.depth >= limit }

    /// Runs `step`, which releases values, one level deeper; for a thread that is below the limit.
    static func descend(releasing step: () -> Void) { current.run(step) }

    /// Releases values later, on this thread.
    static func release(_ values: [Any]) {
        var values = values
        current.postponed.append { values.removeAll() }
    }

    private func run(_ step: () -> Void) {
        let here = self
        here.depth += 1
        step()
        here.depth -= 1
        guard here.depth == 0 else { return }
        while !here.postponed.isEmpty {
            let steps = here.postponed
            here.postponed = []
            for step in steps {
                here.depth = 1
                step()
                here.depth = 0
            }
        }
    }

    /// The depth of the current thread, created on first use and released with the thread.
    private static var current: Depth {
        if let pointer = pthread_getspecific(key) { return Unmanaged<Depth>.fromOpaque(pointer).takeUnretainedValue() }
        let depth = Depth()
        pthread_setspecific(key, Unmanaged.passRetained(depth).toOpaque())
        return depth
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        #if canImport(Darwin)
        pthread_key_create(&key) { Unmanaged<Depth>.fromOpaque($0).release() }
        #else
        pthread_key_create(&key) { pointer in
            if let pointer { Unmanaged<Depth>.fromOpaque(pointer).release() }
        }
        #endif
        return key
    }()
}
