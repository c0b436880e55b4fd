/// Begins work that nobody waits for, in tasks of their own.
///
/// The work does not belong to the call that begins it, so it takes over neither the call's deadline nor its context.
package struct TaskStarter: Sendable {
    private let begin: @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

    /// Creates a starter.
    ///
    /// - Parameter begin: begins a task for the work, and returns it.
    package init(
        _ begin: @escaping @Sendable (_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> = { work in
            Task.detached { await work() }
        }
    ) {
        self.begin = begin
    }

    /// Begins work.
    ///
    /// - Returns: The task, for those that may cancel it.
    @discardableResult
    package func callAsFunction(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> { begin(work) }
}
