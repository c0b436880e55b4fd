/// A body that waits for the end of a call, and the place where it runs.
///
/// `@unchecked Sendable`: `body` need not be Sendable, since it is made on `lane` and only ever called there. Made on
/// an actor, it is called on that actor (`Lane.run` hops to it). Made on no actor, it is called once, after the lock
/// of its observer has been passed from the thread that made it, and what it captures is its author's business: the
/// one exception to checked isolation, documented at ``Observer``.
struct Delivery: @unchecked Sendable {
    enum Role {
        /// An own listener that waits for a result.
        case listener
        /// An own listener that only reacts to cancellation: the author of the work is one.
        case cancelListener
        /// A derived observer.
        case branch
    }

    let role: Role
    let lane: Lane
    /// The observer that `body` ends, if this is a branch.
    let derived: (any Passing)?
    /// Takes the end and the lane on which it is called.
    let body: (Ending, Lane) -> Void

    /// A Boolean value that indicates whether cancellation can overtake an end on its way to this body. Listeners on
    /// the thread that ends the call hear of one end, all of them.
    var canBeWithdrawn: Bool { role == .branch || !lane.isAnyThread }
}
