public import Sluice

/// A filter that limits the number of concurrent calls; a bounded number of others waits, and the rest is rejected
/// immediately.
///
/// ```swift
/// let node = ConcurrencyFilter(10, queue: 100, wait: .seconds(1)).andThen(users)
/// let user = try await node.process("ada")  // throws OverloadedError when 10 run and 100 wait
/// ```
///
/// With an adaptive limit and priorities, important calls are served first under load, and others make room for them in
/// the queue:
///
/// ```swift
/// let filter = ConcurrencyFilter<String, Int>(.aimd(in: 5...200), queue: 50, priority: { $0 == "checkout" ? 1 : 0 })
/// ```
///
/// Copies of the filter share the limit.
public struct ConcurrencyFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    @usableFromInline let gate: ConcurrencyGate
    @usableFromInline let priority: (@Sendable (Request) -> Int)?
    @usableFromInline let classify: Classifier<Request, Response>?

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - limit: how many calls run at the same time.
    ///   - queue: how many others wait at most; 0, the default, sheds all load above the limit.
    ///   - wait: how long one waits at most; `nil`, the default, is as long as its deadline allows.
    ///   - order: the order in which those that wait begin.
    ///   - priority: asked for each call, where the filter runs: those with the higher number are served first, and
    ///     take the place of those with a lower one when the queue is full.
    ///   - classify: says what a result means. Only ``ResponseClass/retryable(after:)`` lowers a limit that adapts:
    ///     what will fail again says nothing about load.
    ///   - clock: measures all times.
    public init(
        _ limit: ConcurrencyLimit,
        queue: Int = 0,
        wait: Duration? = nil,
        order: WaitingOrder = .oldestFirst,
        priority: (@Sendable (Request) -> Int)? = nil,
        classify: Classifier<Request, Response>? = nil,
        clock: any Clock<Duration> = .continuous
    ) {
        gate = ConcurrencyGate(limit, queue: queue, wait: wait, order: order, .of(clock))
        self.priority = priority
        self.classify = classify ?? RequestSemantics<Request, Response>.classifier()
    }

    /// The current state and statistics of the filter and its copies.
    public var counts: ConcurrencyCounts { gate.counts }

    /// Calls `next` when there is room.
    ///
    /// - Throws: ``OverloadedError``, without calling `next`; ``DeadlineError``, without calling `next`, at once where the call
    ///   could not end before its deadline if it waited its turn, or later when that turns out; the error of `next`.
    /// - Cancellation: ends the wait, or cancels `next`; no other call notices.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let pass: ConcurrencyPass
        if let free = gate.enterAtOnce() {
            pass = free
        } else {
            pass = try await gate.wait(priority: priority?(request) ?? 0)
        }
        do {
            let response = try await next.process(request)
            gate.leave(pass, verdict(request, response))
            return response
        } catch {
            gate.leave(pass, verdict(request, error), error)
            throw error
        }
    }

    @inlinable
    func verdict(_ request: Request, _ response: Response) -> ResponseClass {
        guard let classify else { return .success }
        return classify(request, .success(response))
    }

    @inlinable
    func verdict(_ request: Request, _ error: any Error) -> ResponseClass {
        classify?(request, .failure(error)) ?? .of(error)
    }

    /// A description such as `ConcurrencyFilter(10, queue: 100)`.
    public var description: String { "ConcurrencyFilter(\(gate.limit), queue: \(gate.queue))" }
}

/// The current state and statistics of a ``ConcurrencyFilter``.
public struct ConcurrencyCounts: Sendable, Equatable {
    /// The current limit of concurrent calls.
    public var limit = 0
    /// The number of running calls.
    public var running = 0
    /// The number of waiting calls.
    public var waiting = 0
    /// The number of calls that ran and have ended.
    public var ended = 0
    /// The number of calls that were rejected: immediately, for a call of a higher priority, or after waiting too long.
    public var refused = 0
    /// The number of calls that were canceled while they waited.
    public var canceled = 0
}

/// An error that indicates that a call was rejected because too many are running and waiting.
public struct OverloadedError: ClassifiedError, Equatable, CustomStringConvertible {
    /// The limit of concurrent calls.
    public let limit: Int
    /// The number of waiting calls.
    public let waiting: Int

    /// Creates the error.
    public init(limit: Int, waiting: Int) {
        self.limit = limit
        self.waiting = waiting
    }

    /// The class ``ResponseClass/retryable(after:)``, since there may soon be room, elsewhere or here.
    public var responseClass: ResponseClass { .retryable() }

    /// The text of the error: `overloaded: 10 calls run and 100 wait`.
    public var description: String { "overloaded: \(limit) calls run and \(waiting) wait" }
}

extension ConcurrencyFilter: StackStage {
    /// The role ``StackRole/concurrency``.
    public var stackRole: StackRole { .concurrency }
}

/// A concurrency limit in a document: `{"concurrency": {"limit": 10}}`.
enum ConcurrencyKind: FilterKind {
    static let name = "concurrency"
    static let summary = "Limits the number of concurrent calls"
    static let limit = StackKey("limit", .concurrency, "the number of concurrent calls, or a limit that adapts")
    static let queue = StackKey("queue", .count(0...1_000_000), default: 0, "the number of calls that may wait")
    static let wait = StackKey(optional: "wait", .seconds, "the longest wait")
    static let order = StackKey(
        "order",
        .choice(["oldestFirst", "newestFirst"]),
        default: "oldestFirst",
        "the order in which waiting calls begin"
    )
    static let busy = StackKey(
        "busy",
        .seconds,
        default: .milliseconds(100),
        "the wait after which the newest call begins first"
    )
    .requiring(
        .init(
            other: "order",
            condition: .equal("newestFirst"),
            message: "only the order \"newestFirst\" has a time",
            hint: "remove it"
        )
    )
    static let keys: [any FilterKey] = [limit, queue, wait, order, busy]
    static let examples = [
        FilterExample(#"{"concurrency": {"limit": 10, "queue": 20, "wait": 0.5}}"#, "ConcurrencyFilter(10, queue: 20)"),
        FilterExample(
            #"{"concurrency": {"limit": {"vegas": {"to": 50}}, "order": "newestFirst", "busy": 0.2}}"#,
            "ConcurrencyFilter(20 to 50, queue: 0)"
        ),
    ]

    static func waitingOrder(_ settings: StackSettings) -> WaitingOrder {
        settings[order] == "newestFirst" ? .newestFirst(whenBusyFor: settings[busy]) : .oldestFirst
    }

    static func role(_ settings: StackSettings) -> StackRole { .concurrency }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        ConcurrencyFilter<Request, Response>(
            settings[limit],
            queue: settings[queue],
            wait: settings[wait],
            order: waitingOrder(settings),
            priority: builder.bindings.priority,
            classify: builder.bindings.classify,
            clock: builder.bindings.clock
        )
    }
}
