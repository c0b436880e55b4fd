public import Sluice
internal import SluiceJSON

/// A filter that makes a share of the calls fail, wait, or return another response, to test the rest of a stack.
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
/// The injections are tried in order. One that waits lets the next be tried; one that fails or responds ends the call
/// without calling further. Each injection draws one random number for each call that reaches it, and a latency that
/// occurs draws another: with a seed, sequential calls always give the same results.
public struct ChaosFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let injections: [ChaosInjection<Request, Response>]
    private let isEnabled: @Sendable () -> Bool
    private let timer: CallTimer
    private let random: RandomSource

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - injections: The possible injections, in order.
    ///   - isEnabled: A closure that is called for each call; `false` lets it pass without drawing a number.
    ///   - clock: The clock that measures the latencies.
    ///   - random: The random source.
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

    /// Calls `next`, unless an injection prevents it.
    ///
    /// - Throws: The error of a fault; the error of `next`.
    /// - Cancellation: Ends a latency, or cancels `next`.
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

    /// A description such as `ChaosFilter(latency 0.05, fault 0.01)`.
    public var description: String {
        "ChaosFilter(\(injections.map { "\($0.name) \($0.rate)" }.joined(separator: ", ")))"
    }
}

/// An effect of a ``ChaosFilter`` on a share of the calls.
public struct ChaosInjection<Request: Sendable, Response: Sendable>: Sendable {
    enum Effect: Sendable {
        case fault(@Sendable (Request) -> any Error)
        case latency(Int64, Int64)
        case answer(@Sendable (Request) async throws -> Response)
    }

    let rate: Double
    let effect: Effect

    /// Returns an injection that fails a share of the calls.
    ///
    /// - Parameters:
    ///   - rate: The share, from 0 to 1.
    ///   - error: A closure that returns the error to throw; it is called with the request, where the caller runs.
    public static func fault(rate: Double, _ error: @escaping @Sendable (Request) -> any Error) -> ChaosInjection {
        ChaosInjection(rate: rate, effect: .fault(error))
    }

    /// Returns an injection that delays a share of the calls.
    ///
    /// - Parameters:
    ///   - rate: The share, from 0 to 1.
    ///   - range: The range of the delay, which is evenly distributed; below zero counts as zero.
    public static func latency(rate: Double, _ range: ClosedRange<Duration>) -> ChaosInjection {
        let century = Duration.seconds(3_155_760_000)
        let bounds = [range.lowerBound, range.upperBound].map { min(max($0, .zero), century).nanoseconds }
        return ChaosInjection(rate: rate, effect: .latency(bounds[0], bounds[1]))
    }

    /// Returns an injection that delays a share of the calls by the same duration.
    public static func latency(rate: Double, _ duration: Duration) -> ChaosInjection {
        latency(rate: rate, duration...duration)
    }

    /// Returns an injection that responds to a share of the calls.
    ///
    /// - Parameters:
    ///   - rate: The share, from 0 to 1.
    ///   - answer: A closure that returns the response; it is called with the request, where the caller runs.
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

extension ChaosFilter: StackStage {
    /// The role ``StackRole/chaos``.
    public var stackRole: StackRole { .chaos }
}

/// Chaos in a document: `{"chaos": {"inject": [{"fault": {"rate": 0.1}}]}}`.
enum ChaosKind: FilterKind {
    static let name = "chaos"
    static let summary = "Makes a share of the calls fail, wait, or return another response"
    static let inject = StackKey("inject", .list(.injection, atMost: 100), "the injections, which are tried in order")
    static let seed = StackKey(optional: "seed", .count(0...Int.max), "the seed of a random sequence of its own")
    static let enabled = StackKey("enabled", .bool, default: true, "whether it injects anything")
    static let keys: [any FilterKey] = [inject, seed, enabled]
    static let examples = [
        FilterExample(
            #"{"chaos": {"inject": [{"latency": {"rate": 0.1, "from": 0.2, "to": 2}}, {"fault": {"rate": 0.2}}], "seed": 42}}"#,
            "ChaosFilter(latency 0.1, fault 0.2)"
        ),
        FilterExample(
            #"{"chaos": {"inject": [{"answer": {"rate": 0.1, "value": "nobody"}}], "enabled": false}}"#,
            "ChaosFilter(answer 0.1)"
        ),
    ]

    static func role(_ settings: StackSettings) -> StackRole { .chaos }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) throws(StackBuildError) -> any SimpleFilter<Request, Response> {
        var injections: [ChaosInjection<Request, Response>] = []
        for injection in settings[inject] {
            switch injection {
            case .latency(let rate, let range): injections.append(.latency(rate: rate, range))
            case .fault(let rate, let error): injections.append(.fault(rate: rate) { _ in error })
            case .answer(let rate, let json):
                let answer = try builder.answer(json)
                injections.append(.answer(rate: rate) { _ in answer })
            }
        }
        let isEnabled = settings[enabled]
        return ChaosFilter(
            injections,
            isEnabled: { isEnabled },
            clock: builder.bindings.clock,
            random: settings[seed].map { RandomSource(seed: UInt64($0)) } ?? builder.bindings.random
        )
    }
}

/// An injection in a document.
enum StackInjection: Sendable {
    case latency(Double, ClosedRange<Duration>)
    case fault(Double, InjectedError)
    case answer(Double, JSON)
}

extension StackForm where Value == StackInjection {
    /// One of the injections of a ``ChaosFilter``.
    static var injection: StackForm { .oneOf(injections, absent: .latency(0, .zero ... .zero)) }
}

private let injections: [StackChoice<StackInjection>] = {
    let rate = StackKey("rate", .share)
    let (from, to) = (StackKey("from", .seconds), StackKey(optional: "to", .seconds))
    let message = StackKey("message", .text, default: "injected fault")
    let value = StackKey("value", .value)
    return [
        StackChoice("latency", [rate, from, to]) {
            .latency($0[rate], $0[from]...max($0[to] ?? $0[from], $0[from]))
        },
        StackChoice("fault", [rate, message]) { .fault($0[rate], InjectedError(message: $0[message])) },
        StackChoice("answer", [rate, value]) { .answer($0[rate], $0[value]) },
    ]
}()
