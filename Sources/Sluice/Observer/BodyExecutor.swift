import Dispatch

/// The place where a body runs.
enum BodyExecutor: Sendable {
    /// The thread that ends the call, or that registers a body after the end.
    case anyThread
    /// The queue of the last `dispatch(on:)`.
    case queue(DispatchQueue)
    /// The actor on which the body is declared.
    case actor(any Actor)

    /// Creates the executor of a body: its actor if it is declared on one, otherwise `fallback`.
    init(isolation: (any Actor)?, else fallback: BodyExecutor) {
        self = isolation.map(BodyExecutor.actor) ?? fallback
    }

    /// A Boolean value that indicates whether bodies run on the thread that ends the call.
    var isAnyThread: Bool {
        if case .anyThread = self { true } else { false }
    }

    /// Returns a Boolean value that indicates whether both executors run their bodies in the same place.
    func isSame(as other: BodyExecutor) -> Bool {
        switch (self, other) {
        case (.anyThread, .anyThread): true
        case (.queue(let a), .queue(let b)): a === b
        case (.actor(let a), .actor(let b)): a === b
        default: false
        }
    }

    /// The identity of the place where bodies run.
    enum ID: Hashable {
        case anyThread
        case place(ObjectIdentifier)
    }

    /// The identity of this executor's place.
    var id: ID {
        switch self {
        case .anyThread: .anyThread
        case .queue(let queue): .place(ObjectIdentifier(queue))
        case .actor(let actor): .place(ObjectIdentifier(actor))
        }
    }

    /// Runs `step` here. Steps that are submitted one after the other, each after the one before has run, keep their
    /// order.
    ///
    /// - Parameter current: The executor that the caller is running on; no hop is made to the same place.
    func run(from current: BodyExecutor, _ step: @escaping @Sendable () -> Void) {
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
