/// The executor of one run: its actor's jobs and its turns, one at a time, on the threads of a ``RunScheduler``.
package final class RunExecutor: SerialExecutor {
    private let scheduler: RunScheduler
    private let id: Int

    init(on scheduler: RunScheduler) {
        self.scheduler = scheduler
        id = scheduler.nextID()
        scheduler.add(self, id)
    }

    deinit { scheduler.remove(id) }

    /// Sets the work of a turn; it is called on this executor.
    func onTurn(_ body: @escaping @Sendable () -> Void) { scheduler.setTurn(id, body) }

    /// Asks for a turn. However often it is asked for before it comes, there is one.
    func requestTurn() { scheduler.requestTurn(id) }

    /// Hands in a job of the actor.
    package func enqueue(_ job: UnownedJob) { scheduler.enqueue(job, for: self, id) }

    /// Returns the executor as the standard library wants it.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Returns a Boolean value that indicates whether the caller runs on this executor.
    package func isIsolatingCurrentContext() -> Bool? { scheduler.isRunning(id) }

    /// Stops the program unless the caller runs on this executor.
    package func checkIsolated() { precondition(scheduler.isRunning(id), "this is not the run's executor") }
}
