public import Sluice

/// Makes a part of the calls fail, wait, or get another answer: to see what the rest does then.
///
/// ```swift
/// struct Outage: Error {}
/// let chaos = ChaosFilter<String, Person>(
///     [
///         .latency(rate: 0.05, .milliseconds(200) ... .seconds(2)),
///         .fault(rate: 0.01) { _ in Outage() },
///         .answer(rate: 0.01) { name in Person(name: "not " + name) },
///     ],
///     random: RandomSource(seed: 42)
/// )
/// let user = try await chaos.andThen(users).process("ada")
/// ```
///
/// The injections are tried in their order; one that waits lets the next be tried, one that fails or answers ends the
/// call without calling further. Each of them draws one number for each call that reaches it, a latency that happens one
/// more: with a seed, calls one after the other always fare the same.
public struct ChaosFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let injections: [ChaosInjection<Request, Response>]
    private let isEnabled: @Sendable () -> Bool
    private let timer: CallTimer
    private let random: RandomSource

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - injections: what may happen, in order.
    ///   - isEnabled: asked for each call; `false` lets it pass, and draws no number.
    ///   - clock: measures the latencies.
    ///   - random: decides.
    public init(
        _ injections: [ChaosInjection<Request, Response>],
        isEnabled: @escaping @Sendable () -> Bool = { true },
        clock: any Clock<Duration> = .continuous,
        random: RandomSource = .system
    ) {
        self.injections = injections
        self.isEnabled = isEnabled
        timer = .of(clock)
        self.random = random
    }

    /// Calls `next`, unless chance is against it.
    ///
    /// - Throws: the error of a fault; the error of `next`.
    /// - Cancellation: ends a latency, or cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        guard isEnabled() else { return try await next.process(request) }
        for injection in injections where random.double() < injection.rate {
            switch injection.effect {
            case .fault(let error):
                let error = error(request)
                CallContext.note("ChaosFilter", "failed: \(error)")
                throw error
            case .latency(let shortest, let longest):
                let length = shortest + Int64(random.below(UInt64(longest - shortest) + 1))
                CallContext.note("ChaosFilter", "waits for \(Duration.nanoseconds(length))")
                try await timer.sleep(for: .nanoseconds(length))
            case .answer(let answer):
                CallContext.note("ChaosFilter", "answered itself")
                return try await answer(request)
            }
        }
        return try await next.process(request)
    }

    /// `ChaosFilter(latency 0.05, fault 0.01)`.
    public var description: String {
        "ChaosFilter(\(injections.map { "\($0.name) \($0.rate)" }.joined(separator: ", ")))"
    }
}

/// One thing that a ``ChaosFilter`` does to a part of the calls.
public struct ChaosInjection<Request: Sendable, Response: Sendable>: Sendable {
    enum Effect: Sendable {
        case fault(@Sendable (Request) -> any Error)
        case latency(Int64, Int64)
        case answer(@Sendable (Request) async throws -> Response)
    }

    let rate: Double
    let effect: Effect

    /// Fails a part of the calls.
    ///
    /// - Parameters:
    ///   - rate: which part, from 0 to 1.
    ///   - error: called with the request, where the caller runs: the error to throw.
    public static func fault(rate: Double, _ error: @escaping @Sendable (Request) -> any Error) -> ChaosInjection {
        ChaosInjection(rate: rate, effect: .fault(error))
    }

    /// Delays a part of the calls.
    ///
    /// - Parameters:
    ///   - rate: which part, from 0 to 1.
    ///   - range: from how long to how long, evenly spread; below zero counts as zero.
    public static func latency(rate: Double, _ range: ClosedRange<Duration>) -> ChaosInjection {
        let century = Duration.seconds(3_155_760_000)
        let bounds = [range.lowerBound, range.upperBound].map { min(max($0, .zero), century).nanoseconds }
        return ChaosInjection(rate: rate, effect: .latency(bounds[0], bounds[1]))
    }

    /// Delays a part of the calls, all as long.
    public static func latency(rate: Double, _ duration: Duration) -> ChaosInjection {
        latency(rate: rate, duration...duration)
    }

    /// Answers a part of the calls.
    ///
    /// - Parameters:
    ///   - rate: which part, from 0 to 1.
    ///   - answer: called with the request, where the caller runs.
    public static func answer(
        rate: Double,
        _ answer: @escaping @Sendable (Request) async throws -> Response
    ) -> ChaosInjection {
        ChaosInjection(rate: rate, effect: .answer(answer))
    }

    var name: String {
        switch effect {
        case .fault: "fault"
        case .latency: "latency"
        case .answer: "answer"
        }
    }
}
