public import Sluice

/// Tries a call again when it fails.
///
/// ```swift
/// let node = RetryFilter(attempt: 3).andThen(users)
/// let user = try await node.process("ada")  // up to three tries in all
/// ```
///
/// For production, with waits that grow, a budget, and a say in what may be tried again:
///
/// ```swift
/// let budget = RetryBudget(ratio: 0.2)
/// let retry = RetryFilter<String, Person>(
///     attempt: 4,
///     backoff: .exponential(from: .milliseconds(50), to: .seconds(2)),
///     budget: budget
/// )
/// let user = try await retry.andThen(users).process("ada")
/// ```
///
/// What cannot be tried again is not: cancel, and what the classifier or `when` refuses. No try begins that could not
/// end before the deadline of the call: the time of the middle one of the last tries is what is counted on. The number
/// of the try is in ``Sluice/CallContext/attempt``, from 1.
public struct RetryFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    let attempts: Int
    @usableFromInline let classify: Classifier<Request, Response>
    private let isIdempotent: (@Sendable (Request) -> Bool)?
    private let semantics: RequestSemantics<Request, Response>?
    private let pause: @Sendable (_ attempt: Int, _ previous: Duration?) -> Duration
    private let longestHint: Duration
    @usableFromInline let budget: RetryBudget?
    private let timer: CallTimer
    /// How long tries take, measured only in calls with a deadline.
    private let latencies = LatencyWindow(quantile: 0.5, leastCount: 10)

    /// Makes a filter that tries `attempt` times in all.
    ///
    /// - Parameters:
    ///   - attempt: how many tries there are in all, the first included; below 1 counts as 1.
    ///   - isWorthwhile: called after a failed attempt that is not the last, with its error: returns whether another makes
    ///     sense. By default the request and the error tell, where they can; else each failed attempt is repeated.
    ///   - pause: asked before each further try with the number of the one that failed, from 1: how long to wait.
    ///   - clock: measures the pauses.
    public init(
        attempt: Int,
        when isWorthwhile: (@Sendable (any Error) -> Bool)? = nil,
        pause: @escaping @Sendable (Int) -> Duration = { _ in .zero },
        clock: any Clock<Duration> = .continuous
    ) {
        attempts = max(attempt, 1)
        semantics = RequestSemantics<Request, Response>()
        if isWorthwhile == nil, let semantics {
            classify = semantics.classify
        } else {
            classify = { _, result in
                guard case .failure(let error) = result else { return .success }
                if error is CancellationError { return .ignorable }
                guard let isWorthwhile else { return .of(error) }
                return isWorthwhile(error) ? .retryable() : .failure
            }
        }
        if isWorthwhile == nil { isIdempotent = nil } else { isIdempotent = { _ in true } }
        self.pause = { attempt, _ in pause(attempt) }
        longestHint = .seconds(60)
        budget = nil
        timer = .of(clock)
    }

    /// Makes a filter that tries `attempt` times in all, as often as the budget allows.
    ///
    /// - Parameters:
    ///   - attempt: how many tries there are in all, the first included; below 1 counts as 1.
    ///   - backoff: how long to wait before each further try; to a hint of the answer (`Retry-After`) it is added, so
    ///     that all who were told the same do not come at the same time.
    ///   - longestHint: a call whose answer asks for a longer wait is not tried again.
    ///   - budget: what the further tries are taken from; `nil` sets no limit.
    ///   - isIdempotent: called before the first further attempt: returns whether the request may be sent twice; one with
    ///     an ``Sluice/CallContext/idempotencyKey`` always may. By default a ``ClassifiedRequest`` tells, and all others may.
    ///   - classify: returns the class of each answer and error; those that are ``ResponseClass/retryable(after:)`` are
    ///     repeated. By default a ``ClassifiedRequest`` tells.
    ///   - clock: measures the waits.
    ///   - random: where jitter comes from.
    public init(
        attempt: Int = 3,
        backoff: Backoff,
        longestHint: Duration = .seconds(60),
        budget: RetryBudget? = nil,
        isIdempotent: (@Sendable (Request) -> Bool)? = nil,
        classify: Classifier<Request, Response>? = nil,
        clock: any Clock<Duration> = .continuous,
        random: RandomSource = .system
    ) {
        attempts = max(attempt, 1)
        semantics = RequestSemantics<Request, Response>()
        let known: Classifier<Request, Response>? = classify ?? RequestSemantics<Request, Response>.classifier()
        self.classify = known ?? { _, result in ResponseClass.of(result) }
        self.isIdempotent = isIdempotent
        pause = { backoff.delay(after: $0, previous: $1, random: random) }
        self.longestHint = longestHint
        self.budget = budget
        timer = .of(clock)
        budget?.addUser()
    }

    /// Calls `next` until it answers.
    ///
    /// - Returns: the first answer that is not to be tried again; the last one where there are no more tries.
    /// - Throws: the error of the last try; `CancellationError`, at once, when the calling task is cancelled.
    /// - Cancellation: cancels the running try, or the pause.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        if let budget, budget.isShared {
            return try await budget.depositing { try await tries(request, next, nil) }
        }
        budget?.deposit()
        // The common case, a call with nothing set that succeeds, where the compiler can see through it.
        guard CallContext.isCurrentEmpty else { return try await tries(request, next, nil) }
        let first: Result<Response, any Error>
        do {
            let response = try await next.process(request)
            first = .success(response)
            if classify(request, first) == .success { return response }
        } catch { first = .failure(error) }
        return try await tries(request, next, first)
    }

    /// - Parameter first: how the first try ended, if it has been.
    @usableFromInline
    nonisolated(nonsending) func tries(
        _ request: Request,
        _ next: some Node<Request, Response>,
        _ first: Result<Response, any Error>?
    ) async throws -> Response {
        var context = CallContext.current
        var request = request
        if let key = context.idempotencyKey, let semantics { request = semantics.identified(request, key) }
        var previous: Duration?
        var attempt = 0
        while true {
            attempt += 1
            context.attempt = attempt
            let start = context.deadline == nil ? 0 : timer.now
            let result: Result<Response, any Error>
            if attempt == 1, let first {
                result = first
            } else {
                result = await withCallContext(context) { await Result.of { try await next.process(request) } }
            }
            let wait: Duration
            switch classify(request, result) {
            case .success:
                if context.deadline != nil { latencies.record(timer.now - start, now: timer.now) }
                context.note("RetryFilter", "answered")
                return try result.get()
            case .failure, .ignorable:
                if case .failure(let error) = result {
                    try Task.checkCancellation()
                    context.note("RetryFilter", "failed: \(error); not to be tried again")
                }
                return try result.get()
            case .retryable(let hint):
                try Task.checkCancellation()
                switch decide(request, result, attempt, previous, hint, context) {
                case .again(let duration): wait = duration
                case .end(let reason):
                    context.note("RetryFilter", "\(told(result)); \(reason)")
                    return try result.get()
                }
            }
            context.note("RetryFilter", "\(told(result)); next try in \(wait)")
            CallContext.log(.info, "try \(attempt) of \(attempts) failed, next in \(wait): \(reason(result))")
            try await timer.sleep(for: wait)
            previous = wait
        }
    }

    private enum Decision {
        case again(Duration)
        case end(StaticString)
    }

    private func decide(
        _ request: Request,
        _ result: Result<Response, any Error>,
        _ attempt: Int,
        _ previous: Duration?,
        _ hint: Duration?,
        _ context: CallContext
    ) -> Decision {
        guard attempt < attempts else { return .end("no tries left") }
        if let isIdempotent {
            guard context.idempotencyKey != nil || isIdempotent(request) else { return .end("may not be sent twice") }
        } else if let semantics, !semantics.mayBeRepeated(request, result) {
            return .end("may not be sent twice")
        }
        var wait = pause(attempt, previous)
        if let hint, hint > .zero {
            guard hint <= longestHint else { return .end("asked for too long a wait") }
            wait += hint
        }
        if let deadline = context.deadline {
            let now = timer.now
            let end = now.advanced(byClamping: wait.nanoseconds)
            let needed = latencies.value(now: now) ?? 0
            guard end.advanced(byClamping: needed) < timer.time(of: deadline) else {
                return .end("no time left before the deadline")
            }
        }
        if let budget, !budget.withdraw() { return .end("the budget is used up") }
        return .again(wait)
    }

    private func told(_ result: Result<Response, any Error>) -> String {
        switch result {
        case .success: "answered what is to be tried again"
        case .failure(let error): "failed: \(error)"
        }
    }

    private func reason(_ result: Result<Response, any Error>) -> String {
        switch result {
        case .success: "the answer says so"
        case .failure(let error): "\(error)"
        }
    }

    /// `RetryFilter(attempt: 3)`.
    public var description: String { "RetryFilter(attempt: \(attempts))" }
}
