package import Foundation

extension Thread {
    /// Starts a thread with a name that tools such as `top -H` and `perf` show.
    ///
    /// The thread sets the name itself, when `start()` has returned to the caller: Foundation on Linux loses a name that is set before.
    ///
    /// - Parameters:
    ///   - name: a name of up to 15 characters, as many as Linux keeps.
    ///   - isDeep: a Boolean value that indicates whether the stack is as deep as that of the standard library's own threads:
    ///     expressions and documents nest.
    ///   - isBehindRequests: a Boolean value that indicates whether the work comes after that of requests. On Linux, the thread
    ///     calls ``ThreadPriority/lower()`` for that.
    ///   - work: the work of the thread, which calls it once.
    package static func start(
        _ name: String,
        isDeep: Bool = false,
        isBehindRequests: Bool = false,
        _ work: @escaping @Sendable () -> Void
    ) {
        let hasStarted = DispatchSemaphore(value: 0)
        let thread = Thread {
            hasStarted.wait()
            Thread.current.name = name
            work()
        }
        if isDeep { thread.stackSize = 8 << 20 }
        #if canImport(Darwin)
        if isBehindRequests { thread.qualityOfService = .utility }
        #endif
        thread.start()
        hasStarted.signal()
    }
}
