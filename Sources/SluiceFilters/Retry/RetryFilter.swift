public import Sluice

/// A filter that retries a call when it fails.
///
/// ```swift
/// let node = RetryFilter(maxAttempts: 3).andThen(users)
/// let user = try await node.process("ada")  // up to three tries in all
/// ```
///
/// For production, with growing waits, a budget, and a condition for retries:
///
/// ```swift
/// let budget = RetryBudget(ratio: 0.2)
/// let retry = RetryFilter<String, Person>(
///     maxAttempts: 4,
///     backoff: .exponential(from: .milliseconds(50), to: .seconds(2)),
///     budget: budget
/// )
/// let user = try await retry.andThen(users).process("ada")
/// ```
///
/// If a response asks for a wait (`Retry-After`), the next attempt begins after it, at a random time within as long
/// again, so that callers that were sent away together return one after the other. Behind the filter, a ``Balancer``
/// sends each attempt to an endpoint that the call has not tried, as long as there is one.
///
/// It does not retry cancellation, nor results that the classifier or `when` excludes. No attempt begins that could not
/// end before the deadline of the call, judged by the median of recent attempts. The number of the attempt is in
/// ``Sluice/CallContext/attempt``, from 1.
public struct RetryFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    let maxAttempts: Int
    @usableFromInline let classify: Classifier<Request, Response>
    private let isIdempotent: (@Sendable (Request) -> Bool)?
    private let semantics: RequestSemantics<Request, Response>?
    private let pause: @Sendable (_ attempt: Int, _ previous: Duration?) -> Duration
    private let longestHint: Duration
    @usableFromInline let budget: RetryBudget?
    private let timer: CallTimer
    /// The durations of attempts, which are measured only in calls with a deadline.
    private let latencies = LatencyWindow(quantile: 0.5, leastCount: 10)
    private let random: RandomSource
    @usableFromInline let knowledge = BalancerKnowledge()

    /// Creates a filter that makes up to `maxAttempts` attempts.
    ///
    /// - Parameters:
    ///   - maxAttempts: The total number of attempts, including the first; below 1 counts as 1.
    ///   - isWorthwhile: A closure that is called with the error of a failed attempt that is not the last, and that
    ///     returns whether to try again. By default the request and the error decide, if they can; otherwise each
    ///     failed attempt is repeated.
    ///   - pause: A closure that returns the wait before a further attempt, given the number of the failed attempt,
    ///     from 1.
    ///   - clock: The clock that measures the pauses.
    public init(
        maxAttempts: Int,
        when isWorthwhile: (@Sendable (any Error) -> Bool)? = nil,
        pause: @escaping @Sendable (Int) -> Duration = { _ in .zero },
        clock: any Clock<Duration> = .continuous
    ) {
        self.maxAttempts = max(maxAttempts, 1)
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
        random = .system
        budget = nil
        timer = .of(clock)
    }

    /// Creates a filter that makes up to `maxAttempts` attempts, as far as the budget allows.
    ///
    /// - Parameters:
    ///   - maxAttempts: The total number of attempts, including the first; below 1 counts as 1.
    ///   - backoff: The waits before further attempts. They are added to a hint of the response (`Retry-After`), so
    ///     that calls with the same hint do not return at the same time.
    ///   - longestHint: The longest hint that is followed; a call whose response asks for a longer wait is not retried.
    ///   - budget: The budget for further attempts; `nil` sets no limit.
    ///   - isIdempotent: A closure that is called before the first further attempt, and that returns whether the
    ///     request may be sent twice; one with an ``Sluice/CallContext/idempotencyKey`` always may. By default a
    ///     ``ClassifiedRequest`` decides, and all others may.
    ///   - classify: A closure that returns the class of each response and error; those that are
    ///     ``ResponseClass/retryable(after:)`` are retried. By default a ``ClassifiedRequest`` decides.
    ///   - clock: The clock that measures the waits.
    ///   - random: The random source for jitter.
    public init(
        maxAttempts: Int = 3,
        backoff: Backoff,
        longestHint: Duration = .seconds(60),
        budget: RetryBudget? = nil,
        isIdempotent: (@Sendable (Request) -> Bool)? = nil,
        classify: Classifier<Request, Response>? = nil,
        clock: any Clock<Duration> = .continuous,
        random: RandomSource = .system
    ) {
        self.maxAttempts = max(maxAttempts, 1)
        semantics = RequestSemantics<Request, Response>()
        let known: Classifier<Request, Response>? = classify ?? RequestSemantics<Request, Response>.classifier()
        self.classify = known ?? { _, result in ResponseClass.of(result) }
        self.isIdempotent = isIdempotent
        pause = { backoff.delay(after: $0, previous: $1, random: random) }
        self.random = random
        self.longestHint = longestHint
        self.budget = budget
        timer = .of(clock)
        budget?.addUser()
    }

    /// Creates a filter that makes up to `maxAttempts` attempts without waits, as far as the budget allows.
    ///
    /// ```swift
    /// let retry = RetryFilter<String, Person>(maxAttempts: 3, budget: RetryBudget(ratio: 0.2))
    /// ```
    ///
    /// - Parameters:
    ///   - maxAttempts: The total number of attempts, including the first; below 1 counts as 1.
    ///   - budget: The budget for further attempts.
    ///   - isIdempotent: A closure that returns whether the request may be sent twice, as in
    ///     ``init(maxAttempts:backoff:longestHint:budget:isIdempotent:classify:clock:random:)``.
    ///   - classify: A closure that returns the class of each response and error.
    ///   - clock: The clock that measures the waits that responses ask for.
    public init(
        maxAttempts: Int = 3,
        budget: RetryBudget,
        isIdempotent: (@Sendable (Request) -> Bool)? = nil,
        classify: Classifier<Request, Response>? = nil,
        clock: any Clock<Duration> = .continuous
    ) {
        self.init(
            maxAttempts: maxAttempts,
            backoff: .none,
            budget: budget,
            isIdempotent: isIdempotent,
            classify: classify,
            clock: clock
        )
    }

    /// Calls `next` until it succeeds or no attempts are left.
    ///
    /// - Returns: The first response that is not to be retried, or the last one if no attempts are left.
    /// - Throws: The error of the last attempt; `CancellationError`, immediately, when the calling task is canceled.
    /// - Cancellation: Cancels the running attempt, or the pause.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        if let budget, budget.isShared {
            return try await budget.depositing { try await tries(request, next, nil) }
        }
        budget?.deposit()
        // The common case, a call with an empty context that succeeds, in a form that the compiler can optimize.
        guard CallContext.isCurrentEmpty, !knowledge.mayReachBalancer else {
            return try await tries(request, next, nil)
        }
        let first: Result<Response, any Error>
        do {
            let response = try await next.process(request)
            first = .success(response)
            if classify(request, first) == .success { return response }
        } catch { first = .failure(error) }
        return try await tries(request, next, first)
    }

    /// - Parameter first: The result of the first attempt, if it has been made.
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
        var tried: TriedEndpoints?
        defer { knowledge.learn(from: tried) }
        while true {
            attempt += 1
            context.attempt = attempt
            if let added = knowledge.begin(&context, isFirst: attempt == 1) { tried = added }
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
            context.note("RetryFilter", "\(told(result)); next attempt in \(wait)")
            CallContext.log(.info, "attempt \(attempt) of \(maxAttempts) failed, next in \(wait): \(reason(result))")
            let pauseStart = budget == nil ? 0 : timer.now
            do { try await timer.sleep(for: wait) } catch {
                budget?.refund(after: timer.now - pauseStart)
                throw error
            }
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
        guard attempt < maxAttempts else { return .end("no attempts left") }
        if let isIdempotent {
            guard context.idempotencyKey != nil || isIdempotent(request) else { return .end("may not be sent twice") }
        } else if let semantics, !semantics.mayBeRepeated(request, result) {
            return .end("may not be sent twice")
        }
        var wait = pause(attempt, previous)
        var spread = Int64(0)
        if let hint, hint > .zero {
            guard hint <= longestHint else { return .end("asked for too long a wait") }
            wait += hint
            spread = hint.nanoseconds
        }
        if let deadline = context.deadline {
            let now = timer.now
            let end = now.advanced(byClamping: wait.nanoseconds)
            let needed = latencies.value(now: now) ?? 0
            let last = timer.time(of: deadline).advanced(byClamping: -needed)
            guard end < last else { return .end("no time left before the deadline") }
            spread = min(spread, last - end - 1)
        }
        if spread > 0 { wait += .nanoseconds(Int64(random.below(UInt64(spread) + 1))) }
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

    /// A description such as `RetryFilter(maxAttempts: 3)`.
    public var description: String { "RetryFilter(maxAttempts: \(maxAttempts))" }
}

extension RetryFilter: StackStage {
    /// The role ``StackRole/retry(maxAttempts:)``.
    public var stackRole: StackRole { .retry(maxAttempts: maxAttempts) }
}

/// A retry in a document: `{"retry": {"maxAttempts": 4}}`.
enum RetryKind: FilterKind {
    static let name = "retry"
    static let summary = "Calls again after a failure, up to a total number of attempts"
    static let maxAttempts = StackKey("maxAttempts", .count(1...1000), default: 3, "the total number of attempts")
    static let backoff = StackKey("backoff", .backoff, default: .none, "the waits between attempts; none by default")
    static let longestHint = StackKey(
        "longestHint",
        .seconds,
        default: .seconds(60),
        "the longest wait that the other side may ask for"
    )
    static let budget = StackKey(optional: "budget", .budget, "the budget of further attempts")
    static let keys: [any FilterKey] = [maxAttempts, backoff, longestHint, budget]
    static let examples = [
        FilterExample(
            #"{"retry": {"maxAttempts": 4, "backoff": {"exponential": {"from": 0.1, "to": 10}}}}"#,
            "RetryFilter(maxAttempts: 4)"
        ),
        FilterExample(#"{"retry": {"longestHint": 5, "budget": "extra"}}"#, "RetryFilter(maxAttempts: 3)"),
    ]

    static func role(describedAs text: String) -> StackRole {
        .retry(maxAttempts: Int(text.filter(\.isNumber)) ?? StackSettings.defaults[maxAttempts])
    }

    static func role(_ settings: StackSettings) -> StackRole { .retry(maxAttempts: settings[maxAttempts]) }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        RetryFilter<Request, Response>(
            maxAttempts: settings[maxAttempts],
            backoff: settings[backoff],
            longestHint: settings[longestHint],
            budget: builder.budget(settings[budget]),
            isIdempotent: builder.bindings.isIdempotent,
            classify: builder.classify,
            clock: builder.bindings.clock,
            random: builder.bindings.random
        )
    }
}
