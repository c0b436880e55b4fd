public import Sluice

/// A filter that rejects calls while a ``Breaker`` is open.
///
/// ```swift
/// let breaker = Breaker(opensOn: .consecutiveFailures(5), backoff: .constant(.seconds(5)))
/// let node = BreakerFilter(breaker).andThen(users)
/// let user = try await node.process("ada")
/// ```
///
/// Place it inside of a ``RetryFilter`` and outside of the ``TimeoutFilter`` of each attempt, so that it sees every
/// attempt and counts those that took too long.
public struct BreakerFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    @usableFromInline let breaker: Breaker
    @usableFromInline let classify: Classifier<Request, Response>?

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - breaker: The breaker, which other filters may share.
    ///   - classify: A closure that returns the class of a result; by default that of a ``ClassifiedRequest``,
    ///     otherwise ``ResponseClass/of(_:)-(Result<Response,Error>)``.
    public init(_ breaker: Breaker, classify: Classifier<Request, Response>? = nil) {
        self.breaker = breaker
        self.classify = classify ?? RequestSemantics<Request, Response>.classifier()
    }

    /// Calls `next` if the breaker lets the call pass.
    ///
    /// - Throws: ``BreakerOpenError``, without calling `next`; the error of `next`.
    /// - Cancellation: cancels `next`; a canceled call is not counted, and its place as a probe is free again. A call that is
    ///   canceled because its deadline has passed is a failure.
    @inlinable
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        let pass = try breaker.enter()
        do {
            let response = try await next.process(request)
            breaker.leave(pass, isFailure: isFailure(request, response))
            return response
        } catch {
            breaker.leave(pass, isFailure: isFailure(request, error))
            throw error
        }
    }

    @inlinable
    func isFailure(_ request: Request, _ response: Response) -> Bool? {
        guard let classify else { return false }
        return classify(request, .success(response)).countsAsFailure
    }

    @inlinable
    func isFailure(_ request: Request, _ error: any Error) -> Bool? {
        (classify?(request, .failure(error)) ?? .of(error)).countsAsFailure ?? (breaker.isLate(error) ? true : nil)
    }

    /// The text `BreakerFilter`.
    public var description: String { "BreakerFilter" }
}

extension ResponseClass {
    /// A Boolean value that indicates whether it is a failure; `nil` for a result that says nothing.
    @usableFromInline
    var countsAsFailure: Bool? { self == .ignorable ? nil : isFailure }
}

extension BreakerFilter: StackStage {
    /// The role ``StackRole/breaker``.
    public var stackRole: StackRole { .breaker }
}

/// A breaker in a document: `{"breaker": {"probes": 3}}`.
enum BreakerKind: FilterKind {
    static let name = "breaker"
    static let summary = "Rejects calls while too many fail"
    static let opensOn = StackKey(
        "opensOn",
        .list(.condition, atMost: 10),
        default: [Breaker().condition],
        "the conditions that open it; by default half of the last 100 calls fail, or all of them take over a minute"
    )
    static let backoff = StackKey(
        "backoff",
        .pause,
        default: .constant(.seconds(60)),
        "the pauses before it lets probes pass; from 30 to 60 seconds by default"
    )
    static let probes = StackKey("probes", .count(1...10_000), default: 10, "the number of calls that probe")
    static let mode = StackKey(
        "mode",
        .choice([.automatic, .forcedOpen, .metricsOnly, .disabled], default: Breaker.Mode.automatic),
        default: .automatic,
        "its mode; a change does not reset it"
    )
    static let adjustableKeys = [mode.parameter.name]
    static let keys: [any FilterKey] = [opensOn, backoff, probes, mode]
    static let examples = [
        FilterExample(#"{"breaker": {"opensOn": [{"consecutiveFailures": {"count": 5}}]}}"#, "BreakerFilter"),
        FilterExample(
            #"{"breaker": {"backoff": {"constant": {"seconds": 5}}, "probes": 3, "mode": "metricsOnly"}}"#,
            "BreakerFilter"
        ),
    ]

    static func role(_ settings: StackSettings) -> StackRole { .breaker }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        let breaker = Breaker(
            opensOn: TripCondition(rules: settings[opensOn].flatMap(\.rules)),
            backoff: settings[backoff],
            probes: settings[probes],
            clock: builder.bindings.clock,
            random: builder.bindings.random
        )
        let filter = BreakerFilter<Request, Response>(breaker, classify: builder.bindings.classify)
        filter.adjust(settings)
        return filter
    }
}

extension BreakerFilter: AdjustableFilter {
    /// Applies the mode of a document; a change closes the breaker.
    func adjust(_ settings: StackSettings) {
        let mode = settings[BreakerKind.mode]
        if mode != breaker.mode { breaker.mode = mode }
    }
}
