package import Foundation

extension Thread {
    /// Returns a thread with a name for tools such as `top -H` and `perf`. The caller starts it.
    ///
    /// The thread sets the name itself: Foundation on Linux loses a name that is set before the thread starts.
    ///
    /// - Parameters:
    ///   - name: a name of up to 15 characters, as many as Linux keeps.
    ///   - isDeep: a Boolean value that indicates whether the stack is as deep as that of the standard library's own threads:
    ///     expressions and documents nest.
    ///   - work: the work of the thread.
    package static func named(
        _ name: String,
        isDeep: Bool = false,
        _ work: @escaping @Sendable () -> Void
    ) -> Thread {
        let thread = Thread {
            Thread.current.name = name
            work()
        }
        if isDeep { thread.stackSize = 8 << 20 }
        return thread
    }
}
