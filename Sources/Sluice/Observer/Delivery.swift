/// A body that waits for the end of a call, and the place where it runs.
///
/// `@unchecked Sendable`: `body` need not be Sendable, since it is created on `executor` and only ever called there. A body
/// created on an actor is called on that actor (`BodyExecutor.run` hops to it). A body created on no actor is called once,
/// after the lock of its observer has been passed from the thread that created it; its author is responsible for what
/// it captures. This is the one exception to checked isolation, documented at ``Observer``.
struct Delivery: @unchecked Sendable {
    enum Role {
        /// A listener of the observer itself that waits for a result.
        case listener
        /// A listener of the observer itself that only reacts to cancellation, such as the author of the work.
        case cancelListener
        /// A derived observer.
        case branch
    }

    let role: Role
    let executor: BodyExecutor
    /// The observer that `body` ends, if this is a branch.
    let derived: (any Passing)?
    /// A closure that takes the end and the executor on which it is called.
    let body: (Outcome, BodyExecutor) -> Void

    /// A Boolean value that indicates whether cancellation can overtake an end on its way to this body. Listeners on
    /// the thread that ends the call all receive the same end.
    var canBeWithdrawn: Bool { role == .branch || !executor.isAnyThread }
}
