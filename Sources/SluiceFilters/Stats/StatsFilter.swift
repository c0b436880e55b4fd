#if Instruments
public import CoreMetrics
public import Sluice

/// A filter that counts and measures calls, in the program's metrics.
///
/// ```swift
/// let node = StatsFilter("users").andThen(TimeoutFilter(.seconds(2))).andThen(users)
/// let user = try await node.process("ada")  // users.requests, users.successes, users.latency
/// ```
///
/// | metric | is |
/// |---|---|
/// | `NAME.requests` | a counter: calls that began |
/// | `NAME.pending` | a meter: calls that run now |
/// | `NAME.successes` | a counter: calls that ended well |
/// | `NAME.failures`, dimension `error` | a counter: calls that failed, by the type of the error, or `answer` |
/// | `NAME.canceled` | a counter: calls whose end says nothing |
/// | `NAME.latency` | a timer: how long calls took that did not end as canceled |
///
/// Outside of a ``RetryFilter`` it measures what the caller sees, and inside of it each attempt. Place it outside of
/// the ``TimeoutFilter``, so that a call that takes too long is a failure.
public struct StatsFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let name: String
    private let meters: CallMeters
    private let classify: Classifier<Request, Response>?
    private let timer: CallTimer

    /// Creates a filter; copies share the metrics.
    ///
    /// - Parameters:
    ///   - name: The prefix of the metrics' names.
    ///   - dimensions: Additional dimensions of all metrics.
    ///   - factory: The factory of the metrics; `nil`, the default, is the one that the program has set up.
    ///   - classify: A closure that returns the class of a result; `nil`, the default, is
    ///     ``ResponseClass/of(_:)-(Result<Response,Error>)``.
    ///   - clock: The clock that measures the latency.
    public init(
        _ name: String,
        dimensions: [(String, String)] = [],
        factory: (any MetricsFactory)? = nil,
        classify: Classifier<Request, Response>? = nil,
        clock: any Clock<Duration> = .continuous
    ) {
        self.name = name
        self.classify = classify
        timer = .of(clock)
        meters = CallMeters(name, dimensions, factory ?? MetricsSystem.factory)
    }

    /// Calls `next`, and counts it.
    ///
    /// - Throws: The error of `next`.
    /// - Cancellation: Cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let start = timer.now
        meters.begin()
        let result = await Result.of { try await next.process(request) }
        let error: (any Error)? = if case .failure(let error) = result { error } else { nil }
        meters.end(classify?(request, result) ?? .of(result), error, duration: timer.now - start)
        return try result.get()
    }

    /// A description such as `StatsFilter(users)`.
    public var description: String { "StatsFilter(\(name))" }
}

extension StatsFilter: StackStage {
    /// The role ``StackRole/stats``.
    public var stackRole: StackRole { .stats }
}
#endif
