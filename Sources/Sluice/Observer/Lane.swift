import Dispatch

/// Where a body runs.
enum Lane: Sendable {
    /// On the thread that ends the call, or that asks late.
    case anyThread
    /// On a queue: that of the last `dispatch(on:)`.
    case queue(DispatchQueue)
    /// On the actor on which the body was written.
    case actor(any Actor)

    /// The lane of a body: its actor if it was written on one, else `fallback`.
    init(isolation: (any Actor)?, else fallback: Lane) {
        self = isolation.map(Lane.actor) ?? fallback
    }

    /// Whether both run their bodies in the same place.
    func isSame(as other: Lane) -> Bool {
        switch (self, other) {
        case (.anyThread, .anyThread): true
        case (.queue(let a), .queue(let b)): a === b
        case (.actor(let a), .actor(let b)): a === b
        default: false
        }
    }

    /// Runs `step` here. Steps handed over one after the other, each when the one before has run, keep their order.
    ///
    /// - Parameter current: the lane that the caller is running on; no hop is made to the place where one is.
    func run(from current: Lane, _ step: @escaping @Sendable () -> Void) {
        switch self {
        case .anyThread: Depth.descend(step)
        case _ where isSame(as: current): Depth.descend(step)
        case .queue(let queue): queue.async { Depth.descend(step) }
        case .actor(let actor): Task { await enter(step, on: actor) }
        }
    }
}

/// Runs `step` on `actor`.
private func enter(_ step: @escaping @Sendable () -> Void, on actor: isolated any Actor) { Depth.descend(step) }
