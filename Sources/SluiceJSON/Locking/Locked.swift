#if SLUICE_THREAD_SANITIZER
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A value behind a lock, for builds with the thread sanitizer: a POSIX mutex, which the sanitizer understands. It does
/// not understand the standard library's lock and would report every use of it.
///
/// `@unchecked Sendable`: the value is accessed only between `pthread_mutex_lock` and `pthread_mutex_unlock`.
final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ value: consuming sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
#else
import Synchronization

/// A value behind the standard library's lock. This module has no dependencies, so it cannot use the lock of `Sluice`, whose
/// documentation says why `withLock` is not inlined.
struct Locked<Value>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>

    init(_ value: consuming sending Value) { mutex = Mutex(value) }

    @inline(never)
    func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        try mutex.withLock(body)
    }
}
#endif
