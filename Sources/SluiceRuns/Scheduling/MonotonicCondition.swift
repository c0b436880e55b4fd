import Foundation

/// A mutex with a condition whose waits follow the monotonic clock: setting the time of day doesn't move them.
final class MonotonicCondition: @unchecked Sendable {
    // `@unchecked Sendable`: the pointers never change, and the functions of pthreads may be called from every thread.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
        pthread_cond_init(condition, nil)
        #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Calls `body` while the mutex is locked.
    func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Wakes one of the threads that wait.
    func signal() { pthread_cond_signal(condition) }

    /// Waits for a signal. The caller has locked the mutex, which is free during the wait.
    ///
    /// - Parameter nanoseconds: the longest wait.
    /// - Returns: A Boolean value that indicates whether the wait ended before that time.
    func wait(_ nanoseconds: Int64) -> Bool {
        #if canImport(Darwin)
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        return pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
        #else
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let total = Int64(time.tv_nsec) + nanoseconds
        time.tv_sec += Int(total / 1_000_000_000)
        time.tv_nsec = Int(total % 1_000_000_000)
        return pthread_cond_timedwait(condition, mutex, &time) == 0
        #endif
    }
}
