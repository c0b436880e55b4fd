/// Starts a task here and now: what it does before it first waits is done when this returns.
@usableFromInline
package func startNow(_ body: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate(operation: body)
    } else {
        Task(operation: body)
    }
}
