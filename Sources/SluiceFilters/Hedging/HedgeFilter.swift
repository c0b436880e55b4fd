public import Sluice

/// A filter that sends a second call when the first takes longer than most, and uses the first response.
///
/// ```swift
/// let node = HedgeFilter(extraLoad: 0.01).andThen(users)
/// let user = try await node.process("ada")  // the slowest one in a hundred is asked for again
/// ```
///
/// The second call is sent after the time that all but the share `extraLoad` of the calls of the last half minute did
/// not exceed, at least a millisecond; never in the first three seconds, when nothing is known yet. No more than that
/// share is ever sent twice, even if all calls become slow. The slower call is canceled. A failure counts only when no
/// other call is in flight: calling again after a failure is the task of a ``RetryFilter``, and the two can share a
/// budget.
///
/// A ``Balancer`` behind the filter sends the second call to another endpoint, if there is one.
///
/// Only calls that may be sent twice may be hedged. (Dean, Barroso: The Tail at Scale, CACM 2013.)
public struct HedgeFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private static var leastDelay: Int64 { 1_000_000 }

    private let extraLoad: Double
    private let classify: Classifier<Request, Response>
    private let isIdempotent: (@Sendable (Request) -> Bool)?
    private let semantics: RequestSemantics<Request, Response>?
    let budget: RetryBudget?
    private let timer: CallTimer
    private let own: RetryBudget
    let latencies: LatencyWindow
    private let knowledge = BalancerKnowledge()

    /// Creates a filter with measurements of its own; copies share them.
    ///
    /// - Parameters:
    ///   - extraLoad: The share of the calls that may be sent twice, from 0 to 1.
    ///   - budget: An additional budget for the second calls; share it with the retries of the same calls.
    ///   - isIdempotent: A closure that returns whether the request may be sent twice; one with an
    ///     ``Sluice/CallContext/idempotencyKey`` always may. By default a ``ClassifiedRequest`` decides, and all others
    ///     may.
    ///   - classify: A closure that returns the class of each response and error. By default a ``ClassifiedRequest``
    ///     decides.
    ///   - clock: The clock that measures the calls.
    public init(
        extraLoad: Double = 0.01,
        budget: RetryBudget? = nil,
        isIdempotent: (@Sendable (Request) -> Bool)? = nil,
        classify: Classifier<Request, Response>? = nil,
        clock: any Clock<Duration> = .continuous
    ) {
        self.extraLoad = extraLoad > 0 ? min(extraLoad, 1) : 0
        semantics = RequestSemantics<Request, Response>()
        let known: Classifier<Request, Response>? = classify ?? RequestSemantics<Request, Response>.classifier()
        self.classify = known ?? { _, result in ResponseClass.of(result) }
        self.isIdempotent = isIdempotent
        self.budget = budget
        timer = .of(clock)
        own = RetryBudget(ratio: self.extraLoad, minimumPerSecond: 0, clock: clock)
        latencies = LatencyWindow(quantile: 1 - self.extraLoad, leastCount: 10)
        budget?.addUser()
    }

    /// Calls `next`, and once more if it takes long.
    ///
    /// - Throws: The error of `next`, of the last call that failed if both did.
    /// - Cancellation: Cancels both calls.
    /// - Executor: If a second call is possible, `next` runs in a task of its own: where the caller runs up to its
    ///   first suspension, on the global executor from there on.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        own.deposit()
        guard let budget, budget.isShared else {
            budget?.deposit()
            return try await hedged(request, next)
        }
        return try await budget.depositing { try await hedged(request, next) }
    }

    nonisolated(nonsending) private func hedged(
        _ request: Request,
        _ next: some Node<Request, Response>
    ) async throws -> Response {
        let start = timer.now
        var request = request
        if let semantics, let key = CallContext.current.idempotencyKey { request = semantics.identified(request, key) }
        let result: Result<Response, any Error>
        if extraLoad > 0, mayBeSentTwice(request), let delay = latencies.value(now: start) {
            result = await race(request, next, start + max(delay, Self.leastDelay))
        } else {
            result = await Result.of { try await next.process(request) }
        }
        if classify(request, result) == .success {
            let end = timer.now
            latencies.record(end - start, now: end)
        }
        return try result.get()
    }

    private func mayBeSentTwice(_ request: Request) -> Bool {
        guard let isIdempotent else { return semantics?.mayBeHedged(request) ?? true }
        return isIdempotent(request) || CallContext.current.idempotencyKey != nil
    }

    /// Runs the first call, and the second from `due` on.
    nonisolated(nonsending) private func race(
        _ request: Request,
        _ next: some Node<Request, Response>,
        _ due: Int64
    ) async -> Result<Response, any Error> {
        let (alone, race) = (AloneCall<Response>(), HedgeRace<Response>())
        let classify = classify
        var context = CallContext.current
        var tried = knowledge.begin(&context, isFirst: true)
        defer { knowledge.learn(from: tried) }
        let first = withCallContext(context) {
            startNow {
                let result = await Result.of { try await next.process(request) }
                if !alone.finish(.success(result)) {
                    race.report(result, isFailure: classify(request, result) != .success)
                }
            }
        }
        if case .success(let result?)? = alone.result { return result }
        alone.attach(first)
        timer.schedule(alone, at: due)
        do {
            let result = try await alone.value()
            timer.cancel(alone)
            if let result { return result }
        } catch {
            timer.cancel(alone)
            return .failure(error)
        }
        race.attach(first)
        if race.result != nil {
            // It has ended in this moment.
        } else if withdraw() {
            if race.begin() {
                CallContext.note("HedgeFilter", "no answer yet, called a second time")
                if let added = knowledge.begin(&context, isFirst: false) { tried = added }
                race.attach(
                    withCallContext(context) {
                        startNow {
                            let result = await Result.of { try await next.process(request) }
                            race.report(result, isFailure: classify(request, result) != .success)
                        }
                    }
                )
            } else {
                refund()
            }
        } else {
            CallContext.note("HedgeFilter", "no answer yet, the budget is used up")
        }
        return await Result.of { try await race.value() }
    }

    /// Withdraws a second call from both budgets, or from none.
    private func withdraw() -> Bool {
        guard own.withdraw() else { return false }
        guard budget?.withdraw() ?? true else {
            own.refund()
            return false
        }
        return true
    }

    /// Takes the withdrawal of a second call back that was not made.
    private func refund() {
        own.refund()
        budget?.refund()
    }

    /// A description such as `HedgeFilter(extraLoad: 0.01)`.
    public var description: String { "HedgeFilter(extraLoad: \(extraLoad))" }
}

/// The first call while it is alone: ends with its result, or with `nil` when it is time for another.
///
/// `@unchecked Sendable`: restates the superclass's conformance; nothing is stored here.
private final class AloneCall<Response: Sendable>: PendingCall<Result<Response, any Error>?>, @unchecked Sendable {
    override func fire() { finish(.success(nil)) }
}

/// The calls in flight: ends with the first response, or with the last failure.
///
/// `@unchecked Sendable`: restates the superclass's conformance; only a lock is added.
private final class HedgeRace<Response: Sendable>: PendingCall<Response>, @unchecked Sendable {
    private let running = Locked(1)

    /// Counts one more call in flight.
    ///
    /// - Returns: `false` if no call is in flight: the first has failed in this moment, and ended the race.
    func begin() -> Bool {
        running.withLock { running in
            guard running > 0 else { return false }
            running += 1
            return true
        }
    }

    /// Ends with a response, or counts a failure, which ends the race if no other call is in flight.
    ///
    /// A response is not counted: between its count and its end, the failure of the other call would find no call in
    /// flight and end the race in its place.
    func report(_ result: Result<Response, any Error>, isFailure: Bool) {
        guard isFailure else {
            end(result)
            return
        }
        let left = running.withLock { running in
            running -= 1
            return running
        }
        if left == 0 { end(result) }
    }
}

extension HedgeFilter: StackStage {
    /// The role ``StackRole/hedge``.
    public var stackRole: StackRole { .hedge }
}

/// A hedge in a document: `{"hedge": {"extraLoad": 0.02}}`.
enum HedgeKind: FilterKind {
    static let name = "hedge"
    static let summary = "Calls a second time when the first call takes long"
    static let extraLoad = StackKey("extraLoad", .share, default: 0.01, "the share of the calls that may be sent twice")
    static let budget = StackKey(optional: "budget", .budget, "the budget of second calls")
    static let keys: [any FilterKey] = [extraLoad, budget]
    static let examples = [
        FilterExample(#"{"hedge": {"extraLoad": 0.02, "budget": "extra"}}"#, "HedgeFilter(extraLoad: 0.02)")
    ]

    static func role(_ settings: StackSettings) -> StackRole { .hedge }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        HedgeFilter<Request, Response>(
            extraLoad: settings[extraLoad],
            budget: builder.budget(settings[budget]),
            isIdempotent: builder.bindings.isIdempotent,
            classify: builder.classify,
            clock: builder.bindings.clock
        )
    }
}
