#if SLUICE_THREAD_SANITIZER
import Foundation

/// A value behind a lock, for builds with the thread sanitizer: a POSIX mutex, which the sanitizer understands. It does
/// not understand the standard library's lock and would report every use of it.
///
/// `@unchecked Sendable`: the value is accessed only between `pthread_mutex_lock` and `pthread_mutex_unlock`.
public final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Creates a lock around `value`.
    public init(_ value: consuming sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls `body` with the value, which it may change, while no other call has it.
    public func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
#else
public import Synchronization

/// A value behind a lock, for the state of classes that several threads use.
///
/// ```swift
/// final class Counter: Sendable {
///     private let calls = Locked(0)
///     func next() -> Int {
///         calls.withLock { calls in
///             calls += 1
///             return calls
///         }
///     }
/// }
/// let first = Counter().next()  // 1
/// ```
///
/// It is the standard library's `Mutex`, which takes 6 ns without contention; in builds with the thread sanitizer it is
/// a lock that the sanitizer understands. Store it in a `let`. A call waits for its thread while another has the value:
/// keep `body` short, and don't lock the same value within it.
///
/// `withLock` is specialized, but not inlined. The mutex reads the id of its thread from a thread-local variable. Inlined into
/// an async function, the compiler (Swift 6.3, optimizing, on Linux) takes the address of that variable before the task is
/// switched to another thread, and locks after it: with the id of a thread that does not hold the lock, so that the unlock
/// stops the program.
public struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>

    /// Creates a lock around `value`.
    @inlinable
    public init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls `body` with the value, which it may change, while no other call has it.
    ///
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`; the changes that it made before stay.
    @inlinable
    @inline(never)  // see the note above
    public func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
        try mutex.withLock(body)
    }
}
#endif
