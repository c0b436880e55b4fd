/// The handle of one running call, for code that lives with callbacks.
///
/// ```swift
/// Doubler().start(4)
///     .onCompleted { print($0) }       // prints 8
///     .onError { print("failed", $0) }
///     .defer { print("over") }         // prints over
/// ```
///
/// It ends exactly once: with a value, an error, or cancel. Any number of listeners may be registered, from any
/// thread; one that comes late is told at once. The listeners of one observer that run in one place (an actor, a
/// queue) run one after the other in the order in which they were registered.
///
/// **Where bodies run.** A listener, or a body of `map`, `filter` or recovery, that is written on an actor runs on
/// that actor, always. Written on no actor it runs on the queue of the last ``dispatch(on:)``, else on the thread
/// that ends the call; then it must capture only what is safe there, since the compiler does not check it: the one
/// exception to checked isolation. The `isolation` parameters are filled in by the compiler: leave them out. `await` and ``value`` never touch the main thread.
///
/// **Cancel.** ``cancel()`` detaches a branch; the work stops when its last branch is gone, at once when the root, the
/// observer that was not derived from another, is cancelled. Branches of an observer are the observers derived from it, each
/// pending ``value``, and its own listeners taken together. A listener of `onCanceled` alone does not hold the work:
/// the author of the work is one. Letting go of an observer does not cancel.
///
/// **Context.** The ``CallContext`` is captured when an observer is made and is the current one in every body.
///
/// Nothing but the ending is kept after the end.
public class Observer<Value: Sendable>: @unchecked Sendable {
    // `@unchecked Sendable`: the class cannot be checked since it is not final, but every stored property is a `let`
    // of a Sendable type or a Locked; nobody outside the module can subclass it, and `Context`, the one subclass, is
    // final and stores nothing.
    private let storage = Locked(Storage())
    /// Where bodies run that were written on no actor.
    let lane: Lane
    /// The context of the call.
    let callContext: CallContext
    /// Whether the work itself is behind this observer, not another observer.
    let isRoot: Bool

    private struct Storage {
        var state = ObserverState.pending(.init())
        var deliveries = Deliveries()

        /// Ends with `ending` and says which lanes have to be drained; `nil` when the end has been.
        mutating func end(_ ending: Ending) -> (ObserverState.End?, [Lane]) {
            guard let end = state.end(ending) else { return (nil, []) }
            return (end, end.deliveries.filter { deliveries.add($0, ending) }.map { $0.lane })
        }
    }

    init(lane: Lane, callContext: CallContext, isRoot: Bool) {
        self.lane = lane
        self.callContext = callContext
        self.isRoot = isRoot
    }

    /// A call that nobody can end any more ends with cancel. An heir does it, since nothing may outlive a `deinit`.
    deinit {
        guard let pending = storage.withLock({ $0.state.bequeath() }) else { return }
        let heir = Observer(lane: lane, callContext: callContext, isRoot: isRoot)
        heir.storage.withLock { $0.state = .pending(pending) }
        heir.end(.canceled)
    }

    /// Cancels this branch of the call.
    ///
    /// On the root the call ends at once, for everybody, with cancel. On a derived observer its own listeners leave,
    /// told by `onCanceled` and `defer`; if nobody else waits on it, it ends with cancel and leaves the observer that
    /// it came from, and the work stops when nobody is left. After the end it does nothing.
    ///
    /// - Complexity: O(*n*) in the number of those who wait.
    @discardableResult
    public func cancel() -> Self {
        if isRoot {
            end(.canceled)
            return self
        }
        let (lanes, departure) = storage.withLock { storage in
            let (listeners, departure) = storage.state.leaveListeners()
            return (listeners.filter { storage.deliveries.add($0, .canceled) }.map { $0.lane }, departure)
        }
        for lane in lanes { drain(lane, from: .anyThread) }
        if departure == .last { end(.canceled) }
        return self
    }

    /// Ends the call, once; later ends are ignored.
    ///
    /// - Parameter current: the lane that the caller runs on.
    func end(_ ending: Ending, from current: Lane = .anyThread) {
        let (end, lanes) = storage.withLock { $0.end(ending) }
        guard let end else { return }
        end.release?()
        end.waiters.forEach { $0(ending) }
        for lane in lanes { drain(lane, from: current) }
    }

    /// Registers a body for the end, or runs it if the end has been.
    ///
    /// - Parameter current: the lane that the caller runs on.
    /// - Returns: what ``leave(_:)`` takes; `nil` when the end has been.
    @discardableResult
    func listen(
        as role: ObserverState.Role,
        on lane: Lane,
        from current: Lane,
        _ body: @escaping (Ending, Lane) -> Void
    ) -> Int? {
        let delivery = Delivery(lane: lane, body: body)
        let (id, isDue) = storage.withLock { storage -> (Int?, Bool) in
            if case .ended(let ending) = storage.state { return (nil, storage.deliveries.add(delivery, ending)) }
            return (storage.state.add(delivery, as: role), false)
        }
        if isDue { drain(lane, from: current) }
        return id
    }

    /// Keeps what lets go of the work behind this observer, called once, at the end; at once if it has been.
    ///
    /// After a value or an error there is nothing left to stop, and letting go does nothing.
    func whenEnded(_ release: @escaping @Sendable () -> Void) {
        let kept = storage.withLock { $0.state.keep(release: release) }
        if kept.isDue { release() }
    }

    /// Takes a derived observer away.
    func leave(_ id: Int) {
        let left = storage.withLock { $0.state.leaveBranch(id) }
        if left.1 == .last { Depth.descend { self.end(.canceled) } }
    }

    /// Runs what is due on a lane until nothing is.
    private func drain(_ lane: Lane, from current: Lane) {
        lane.run(from: current) { [self] in
            while let due = storage.withLock({ $0.deliveries.take(lane) }) {
                withCallContext(callContext) {
                    for (delivery, ending) in due { delivery.body(ending, lane) }
                }
            }
        }
    }

    /// The value of the call.
    ///
    /// ```swift
    /// let call: Observer<Int> = Doubler().start(4)
    /// let eight = try await call.value  // 8
    /// ```
    ///
    /// - Throws: the error of the call; `CancellationError` when the call or the waiting task was cancelled.
    /// - Cancellation: cancelling the waiting task detaches this wait only; the work stops if it was the last branch.
    /// - Executor: resumes on the caller's executor.
    public var value: Value {
        get async throws {
            guard let id = storage.withLock({ $0.state.reserve() }) else { return try ended() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let resume: @Sendable (Ending) -> Void = { continuation.resume(with: $0.result(of: Value.self)) }
                    if let ending = storage.withLock({ $0.state.wait(id, resume) }) { resume(ending) }
                }
            } onCancel: {
                let (resume, departure) = storage.withLock { $0.state.leaveWaiter(id) }
                resume?(.canceled)
                if departure == .last { end(.canceled) }
            }
        }
    }

    private func ended() throws -> Value {
        let ending = storage.withLock { storage -> Ending in
            if case .ended(let ending) = storage.state { ending } else { .canceled }
        }
        return try ending.result().get()
    }
}
