/// The handle of one running call, for code based on callbacks.
///
/// ```swift
/// Doubler().start(4)
///     .onCompleted { print($0) }       // prints 8
///     .onError { print("failed", $0) }
///     .defer { print("over") }         // prints over
/// ```
///
/// An observer ends exactly once: with a value, an error, or cancellation. It accepts any number of listeners from any
/// thread, and calls a late one immediately. The listeners of one observer that run in one place (an actor, a queue)
/// run one after the other in the order in which they were registered.
///
/// **Where bodies run.** A listener, or a body of `map`, `filter`, or `recover`, that is declared on an actor always
/// runs on that actor. A nonisolated one runs on the queue of the last ``dispatch(on:)``, otherwise on the thread that
/// ends the call. In that last case it must capture only values that are safe on any thread, since the compiler does
/// not check it: this is the one exception to checked isolation. The compiler fills in the `isolation` parameters:
/// leave them out. `await` and ``value`` never touch the main thread.
///
/// **Cancellation.** ``cancel()`` detaches a branch. The work stops when its last branch is canceled, or immediately
/// when the root, the observer that was not derived from another, is canceled. The branches of an observer are the
/// observers derived from it, each pending ``value``, and its own listeners taken together. A listener of `onCanceled`
/// alone does not keep the work running, since the author of the work is one. Releasing an observer does not cancel it.
/// After ``cancel()`` returns on an actor, no listener of that branch on that actor is called with a value or an error,
/// even if one was already on its way.
///
/// **Context.** The ``CallContext`` is captured when an observer is created and is the current one in every body.
///
/// After the end, the observer keeps nothing but the outcome.
public class Observer<Value: Sendable>: @unchecked Sendable {
    // `@unchecked Sendable`: the class cannot be checked since it is not final, but every stored property is a `let`
    // of a Sendable type or a Locked; nobody outside the module can subclass it, and `Context`, the one subclass, is
    // final and stores nothing.
    private let storage = Locked(ObserverStorage())
    /// The place where bodies run unless they are declared on an actor.
    let executor: BodyExecutor
    /// The context of the call.
    let callContext: CallContext
    /// A Boolean value that indicates whether this observer represents the work itself and not another observer.
    let isRoot: Bool

    init(executor: BodyExecutor, callContext: CallContext, isRoot: Bool) {
        self.executor = executor
        self.callContext = callContext
        self.isRoot = isRoot
    }

    /// Ends a call that can no longer be ended with cancellation. A successor does so, since nothing may outlive a
    /// `deinit`.
    deinit {
        guard let pending = storage.withLock({ $0.state.bequeath() }) else { return }
        let heir = Observer(executor: executor, callContext: callContext, isRoot: isRoot)
        heir.storage.withLock { $0.state = pending }
        heir.end(.canceled)
    }

    /// Cancels this branch of the call.
    ///
    /// On the root, the call ends immediately for every branch. On a derived observer, its own listeners are detached,
    /// and their `onCanceled` and `defer` bodies run; if no other branch waits for it, it ends and detaches from its
    /// parent, and the work stops when no branch is left.
    ///
    /// After `cancel()` returns on an actor, no listener of this branch on that actor is called with a value or an
    /// error: a body to which the end is on its way, by a hop to its actor or queue, receives cancellation instead. The
    /// root's branch is everything derived from it, including calls that `map` and `recover` have started; the branch
    /// of a derived observer is its own listeners. After the end has reached every listener, `cancel()` does nothing.
    ///
    /// - Complexity: O(*n*) in the number of waiting listeners and derived observers.
    @discardableResult
    public func cancel() -> Self {
        if isRoot {
            if !endOnce(.canceled) { withdrawAll() }
            return self
        }
        let (executors, departure) = storage.withLock { storage in
            if !storage.state.isPending { storage.withdrawListeners() }
            let (listeners, departure) = storage.state.leaveListeners()
            return (listeners.filter { storage.deliveries.add($0, isCanceled: true) }.map { $0.executor }, departure)
        }
        for executor in executors { drain(executor, from: .anyThread) }
        // Another thread may end the call between the two steps: then the end is on its way, and is withdrawn.
        if departure == .last, !endOnce(.canceled) { storage.withLock { $0.withdrawListeners() } }
        return self
    }

    /// Ends the call, once; later ends are ignored.
    ///
    /// - Parameter current: The executor that the caller runs on.
    func end(_ outcome: Outcome, from current: BodyExecutor = .anyThread) {
        _ = endOnce(outcome, from: current)
    }

    /// Ends the call; returns `false` if it has ended before.
    private func endOnce(_ outcome: Outcome, from current: BodyExecutor = .anyThread) -> Bool {
        var (executor, others): (BodyExecutor?, [BodyExecutor]) = (nil, [])
        let (end, settled) = storage.withLock { storage in
            let end = storage.end(outcome) { if executor == nil { executor = $0 } else { others.append($0) } }
            return (end, end == nil ? [] : storage.settle())
        }
        guard let end else { return false }
        end.release?()
        if !end.waiters.isEmpty { end.waiters.forEach { $0?(outcome) } }
        if let executor { drain(executor, from: current) }
        for executor in others { drain(executor, from: current) }
        if !settled.isEmpty { leave(settled) }
        return true
    }

    /// Registers a body for the end, or runs it if the end has come.
    ///
    /// - Parameters:
    ///   - current: The executor that the caller runs on.
    ///   - derived: The observer that `body` ends, if it is a branch.
    /// - Returns: The branch's id, for ``leave(_:)``; `nil` if the end has come.
    @discardableResult
    func listen(
        as role: Delivery.Role,
        on executor: BodyExecutor,
        from current: BodyExecutor,
        resolving derived: (any Passing)? = nil,
        _ body: @escaping (Outcome, BodyExecutor) -> Void
    ) -> Int? {
        let delivery = Delivery(role: role, executor: executor, derived: derived, body: body)
        let (id, isDue) = storage.withLock { $0.add(delivery) }
        if isDue { drain(executor, from: current) }
        return id
    }

    /// Stores the closure that stops the work behind this observer. It is called once, at the end, or immediately if
    /// the end has come.
    ///
    /// After a value or an error there is nothing left to stop, and it does nothing.
    func whenEnded(_ release: @escaping @Sendable () -> Void) {
        let kept = storage.withLock { $0.state.keep(release: release) }
        if kept.isDue { release() }
    }

    /// Removes a derived observer.
    func leave(_ id: Int) {
        let left = storage.withLock { $0.state.leaveBranch(id) }
        if left.1 == .last { Depth.descend { self.end(.canceled) } }
    }

    /// Runs the bodies that are due on an executor until none are left.
    private func drain(_ executor: BodyExecutor, from current: BodyExecutor) {
        // A step without a hop allocates nothing.
        if executor.isAnyThread || executor.isSame(as: current), Depth.descend(now: { deliver(on: executor) }) {
            return
        }
        executor.run(from: current) { [self] in deliver(on: executor) }
    }

    /// Runs the bodies that are due on an executor until none are left; the caller runs there.
    private func deliver(on executor: BodyExecutor) {
        withCallContext(callContext) {
            var passed: (any Passing)?
            // Kept while the lock is held, since the objects it references must not be released there.
            var taken: DueRow.Taken?
            while true {
                let (next, outcome, settled) = storage.withLock { storage in
                    let next = storage.deliveries.take(executor, after: passed)
                    return (next, storage.state.outcome ?? .canceled, next == nil ? storage.settle() : [])
                }
                if let passed, !passed.join(self) { leave([self], as: passed) }
                taken = next
                switch taken {
                case .none:
                    if !settled.isEmpty { leave(settled) }
                    return
                case .one(let due):
                    due.delivery.body(due.isCanceled ? .canceled : outcome, executor)
                    passed = due.delivery.derived.flatMap { $0.isSettled ? nil : $0 }
                case .many(let all):
                    for case let due? in all { due.delivery.body(due.isCanceled ? .canceled : outcome, executor) }
                    passed = nil
                }
            }
        }
    }

    /// Notifies the observers upstream, and those above them, that the end has reached every listener.
    private func leave(_ upstream: [any Passing], as settled: (any Passing)? = nil) {
        var left = upstream.map { ($0, ObjectIdentifier(settled ?? self)) }
        while let (observer, id) = left.popLast() {
            left += observer.forget(id).map { ($0, ObjectIdentifier(observer)) }
        }
    }

    /// The value of the call.
    ///
    /// ```swift
    /// let call = Doubler().start(4)
    /// let eight = try await call.value  // 8
    /// ```
    ///
    /// - Throws: The error of the call; `CancellationError` if the call or the waiting task is canceled.
    /// - Cancellation: Canceling the waiting task detaches this wait only; the work stops if it was the last branch.
    /// - Executor: Resumes on the caller's executor.
    public var value: Value {
        get async throws {
            guard let id = storage.withLock({ $0.state.reserve() }) else { return try ended() }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let resume: @Sendable (Outcome) -> Void = { continuation.resume(with: $0.result(of: Value.self)) }
                    if let outcome = storage.withLock({ $0.state.wait(id, resume) }) { resume(outcome) }
                }
            } onCancel: {
                let (resume, departure) = storage.withLock { $0.state.leaveWaiter(id) }
                resume?(.canceled)
                if departure == .last { end(.canceled) }
            }
        }
    }

    private func ended() throws -> Value {
        let outcome = storage.withLock { $0.state.outcome ?? .canceled }
        return try outcome.result().get()
    }
}

/// An observer of any value, through which an end passes.
protocol Passing: AnyObject, Sendable {
    /// A Boolean value that indicates whether it has ended, and its end has reached every listener.
    var isSettled: Bool { get }
    /// Ends with cancellation, or turns an end that is on its way into cancellation.
    ///
    /// - Returns: The derived observers that the end has not passed yet.
    func withdraw() -> [any Passing]
    /// Keeps an observer that this one was derived from until the end has reached every listener; returns `false` if it
    /// already has.
    func join(_ upstream: any Passing) -> Bool
    /// Removes a derived observer that has delivered; returns the observers upstream if the end has reached every
    /// listener.
    func forget(_ id: ObjectIdentifier) -> [any Passing]
}

extension Observer: Passing {
    var isSettled: Bool { storage.withLock { !$0.state.isPending && $0.deliveries.isSettled } }
    var isPending: Bool { storage.withLock { $0.state.isPending } }

    func withdraw() -> [any Passing] {
        if endOnce(.canceled) { return [] }
        return storage.withLock { storage in
            storage.withdraw()
            return storage.deliveries.passing
        }
    }

    func join(_ upstream: any Passing) -> Bool {
        storage.withLock { storage in
            if !storage.state.isPending, storage.deliveries.isSettled { return false }
            storage.upstream.append(upstream)
            return true
        }
    }

    func forget(_ id: ObjectIdentifier) -> [any Passing] {
        storage.withLock { storage in
            storage.deliveries.forget(id)
            return storage.settle()
        }
    }

    /// Withdraws the end of this observer and of all observers derived from it, unless it has reached every listener.
    ///
    /// Each observer withdraws its end before it is asked for the derived observers that the end is passing, so that an
    /// end that moves on meanwhile, on another thread, does not escape.
    private func withdrawAll() {
        guard !isSettled else { return }
        var (left, seen): ([any Passing], Set<ObjectIdentifier>) = ([self], [ObjectIdentifier(self)])
        while let observer = left.popLast() {
            left += observer.withdraw().filter { seen.insert(ObjectIdentifier($0)).inserted }
        }
    }
}
