#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// How deep this thread is in ends that cause ends, and what was put off.
///
/// An end passes through derived observers, and a body may end or derive others, by calls of calls. Beyond a depth the
/// next step is put off until the thread is back at the outermost one, so that a chain of any length (a poll that
/// starts itself again by `map`, say) cannot exhaust a thread's stack. Below that depth nothing is allocated.
final class Depth {
    private static let limit = 32

    private var depth = 0
    private var postponed: [() -> Void] = []

    /// Runs `step` one deeper: at once, or later if this thread is deep already.
    static func descend(_ step: @escaping () -> Void) {
        let here = current
        guard here.depth < limit else { return here.postponed.append(step) }
        here.run(step)
    }

    /// Runs `step` one deeper, at once; returns `false`, and does not run it, if this thread is deep already.
    static func descend(now step: () -> Void) -> Bool {
        let here = current
        guard here.depth < limit else { return false }
        here.run(step)
        return true
    }

    /// A Boolean value that indicates whether this thread is so deep that steps are put off.
    static var isDeep: Bool { current.depth >= limit }

    /// Runs `step`, which releases values, one deeper; for a thread that is not deep.
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

    /// That of this thread, made when it is first asked for and let go with the thread.
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
