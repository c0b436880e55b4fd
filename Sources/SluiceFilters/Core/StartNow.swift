/// Starts a task immediately on the current thread: its work up to its first suspension is done when this returns.
///
/// The type of `body` is the one that tasks take, also for those that return nothing: a closure of another type would
/// need two more around it, on the heap.
@inlinable
package func startNow<Value: Sendable>(
    _ body: @escaping @Sendable @isolated(any) () async -> Value
) -> Task<Value, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate(operation: body)
    } else {
        Task(operation: body)
    }
}
