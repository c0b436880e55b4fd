internal import Sluice

/// The state that the copies of a ``ConcurrencyFilter`` share.
@usableFromInline
final class ConcurrencyGate: Sendable {
    private typealias State = ConcurrencyState<ConcurrencyWaiter>

    let limit: ConcurrencyLimit
    let queue: Int
    private let patience: Int64?
    private let timer: CallTimer
    private let storage: Locked<(state: State, counts: ConcurrencyCounts)>

    init(_ limit: ConcurrencyLimit, queue: Int, wait: Duration?, order: WaitingOrder, _ timer: CallTimer) {
        self.limit = limit
        self.queue = max(queue, 0)
        patience = wait.map { max($0.nanoseconds, 0) }
        self.timer = timer
        storage = Locked((State(limit, queue: queue, order: order), ConcurrencyCounts()))
    }

    /// The current state and statistics.
    var counts: ConcurrencyCounts {
        storage.withLock { storage in
            var counts = storage.counts
            counts.limit = storage.state.limit
            counts.running = storage.state.running
            counts.waiting = storage.state.waiting
            return counts
        }
    }

    /// The error of calls for which there is no room.
    private var overload: OverloadedError {
        storage.withLock { OverloadedError(limit: $0.state.limit, waiting: $0.state.waiting) }
    }

    /// Lets a call run if there is room and no call waits.
    @usableFromInline
    func enterAtOnce() -> ConcurrencyPass? {
        storage.withLock { storage in storage.state.enterAtOnce(now: { timer.now }) }
    }

    /// Waits for room.
    @usableFromInline
    nonisolated(nonsending) func wait(priority: Int) async throws -> ConcurrencyPass {
        let now = timer.now
        var latest = patience.map { now.advanced(byClamping: $0) }
        var isDeadline = false
        var end = Int64.max
        if let deadline = CallContext.current.deadline {
            let time = timer.time(of: deadline)
            end = time
            if time < latest ?? .max { (latest, isDeadline) = (time, true) }
            if time <= now { throw refused(DeadlineError()) }
        }
        let waiter = ConcurrencyWaiter { [self, isDeadline] in
            isDeadline ? DeadlineError() as any Error : overload
        }
        let admission = storage.withLock { storage in
            storage.state.enter(waiter, priority: priority, deadline: end, now: { timer.now })
        }
        switch admission {
        case .run(let pass): return pass
        case .refused: throw refused(overload)
        case .late: throw refused(DeadlineError())
        case .wait(let id, let evicted):
            evicted?.end(.failure(overload))
            CallContext.note("ConcurrencyFilter", "waits: \(overload)")
            if let latest { timer.schedule(waiter, at: latest) }
            do {
                let pass = try await waiter.value()
                if latest != nil { timer.cancel(waiter) }
                return pass
            } catch {
                if latest != nil { timer.cancel(waiter) }
                storage.withLock { $0.state.remove(id) }
                throw refused(error)
            }
        }
    }

    /// Counts and records a rejection, and returns its error.
    private func refused(_ error: any Error) -> any Error {
        storage.withLock { storage in
            if error is CancellationError { storage.counts.canceled += 1 } else { storage.counts.refused += 1 }
        }
        if !(error is CancellationError) { CallContext.note("ConcurrencyFilter", "refused: \(error)") }
        return error
    }

    /// - Parameter error: the error of the call, if it ended with one.
    @usableFromInline
    func leave(_ pass: ConcurrencyPass, _ verdict: ResponseClass, _ error: (any Error)? = nil) {
        let end: ConcurrencyEnd
        switch verdict {
        case .ignorable where error.map(timer.isLate) == true: end = .bad
        case .success, .failure: end = .well
        case .retryable: end = .bad
        case .ignorable: end = .unknown
        }
        storage.withLock { storage in
            storage.counts.ended += 1
            storage.state.leave(pass, end, now: { timer.now })
            storage.state.start(
                now: { timer.now },
                { waiter, pass in waiter.end(.success(pass)) },
                late: { _ = $0.end(.failure(DeadlineError())) }
            )
        }
    }
}

/// A waiting call, whose deadline is its maximum time of waiting.
///
/// `@unchecked Sendable`: restates the superclass's conformance; what is added does not change.
private final class ConcurrencyWaiter: PendingCall<ConcurrencyPass>, @unchecked Sendable {
    private let error: @Sendable () -> any Error

    /// Creates a waiting call; `error` is called at the deadline.
    init(error: @escaping @Sendable () -> any Error) { self.error = error }

    override func fire() { end(.failure(error())) }
}
