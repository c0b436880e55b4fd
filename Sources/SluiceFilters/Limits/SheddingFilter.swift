public import Sluice

/// A filter that drops a share of the calls locally when the peer rejects many of them, so that its rejections do not
/// cost it more than responses would.
///
/// ```swift
/// let filter = SheddingFilter<String, Person>(when: { $0 is OverloadedError })
/// let user = try await filter.andThen(users).process("ada")  // throws SheddingError for some when most calls are refused
/// ```
///
/// The algorithm is Finagle's `NackAdmissionFilter`: a moving average of accepted calls. As it falls from 1 - `refused`
/// to 0, calls are dropped with a probability from 0 to `atMost`. Calls that pass keep the average current, so that it
/// recovers by itself. Copies of the filter share their statistics.
///
/// Place it inside of a ``RetryFilter``: dropped calls are not retried.
public struct SheddingFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private final class Shared: Sendable {
        let storage: Locked<(state: SheddingState, counts: SheddingCounts)>
        init(_ state: SheddingState) { storage = Locked((state, SheddingCounts())) }
    }

    private let shared: Shared
    private let timer: CallTimer
    private let random: RandomSource
    private let isRefusal: @Sendable (Request, Result<Response, any Error>) -> Bool

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - refused: The share of rejected calls (0 to 1) above which calls are dropped.
    ///   - span: The time span of the average; a sample of that age has the weight 1/e.
    ///   - atMost: The maximum share of calls (0 to 1) that is dropped.
    ///   - minimumRate: The minimum number of calls in the last second for rejections to count.
    ///   - random: The random source for the choice of dropped calls.
    ///   - clock: The clock that measures all times.
    ///   - isRefusal: A closure that is called for each error, and that returns whether the peer rejected the call. By
    ///     default a ``ClassifiedRequest`` decides, also for responses; otherwise ``OverloadedError`` and ``RateLimitError``
    ///     are rejections.
    public init(
        refused: Double = 0.5,
        over span: Duration = .seconds(120),
        atMost: Double = 0.75,
        minimumRate: Int = 5,
        random: RandomSource = .system,
        clock: any Clock<Duration> = .continuous,
        when isRefusal: (@Sendable (any Error) -> Bool)? = nil
    ) {
        timer = .of(clock)
        let state = SheddingState(
            refused: refused,
            over: span.nanoseconds,
            atMost: atMost,
            minimumRate: minimumRate,
            at: timer.now
        )
        shared = Shared(state)
        self.random = random
        let known = isRefusal == nil ? RequestSemantics<Request, Response>()?.isRefusal : nil
        self.isRefusal =
            known ?? { _, result in
                guard case .failure(let error) = result else { return false }
                return isRefusal?(error) ?? (error is OverloadedError || error is RateLimitError)
            }
    }

    /// The statistics of the filter and its copies.
    public var counts: SheddingCounts { shared.storage.withLock { $0.counts } }

    /// Calls `next` unless the call is dropped.
    ///
    /// - Throws: ``SheddingError``, without calling `next`; the error of `next`.
    /// - Cancellation: Cancels `next`; a canceled call says nothing about the peer.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        try admit()
        do {
            let response = try await next.process(request)
            record(isRefused: isRefusal(request, .success(response)))
            return response
        } catch {
            record(isRefused: error is CancellationError ? nil : isRefusal(request, .failure(error)))
            throw error
        }
    }

    private func admit() throws {
        let now = timer.now
        let (passes, probability) = shared.storage.withLock { storage in
            let passes = storage.state.admit(at: now) { random.double() }
            if passes { storage.counts.passed += 1 } else { storage.counts.dropped += 1 }
            return (passes, storage.state.dropProbability)
        }
        guard !passes else { return }
        let error = SheddingError(probability: probability)
        CallContext.note("SheddingFilter", "dropped the call: \(error)")
        throw error
    }

    private func record(isRefused: Bool?) {
        let now = timer.now
        shared.storage.withLock { storage in
            switch isRefused {
            case true?: storage.counts.refused += 1
            case false?: storage.counts.accepted += 1
            case nil: storage.counts.ignored += 1
            }
            if let isRefused { storage.state.record(isRefused: isRefused, at: now) }
        }
    }

    /// The text `SheddingFilter`.
    public var description: String { "SheddingFilter" }
}

/// The statistics of a ``SheddingFilter``.
public struct SheddingCounts: Sendable, Equatable {
    /// The number of calls that passed.
    public var passed = 0
    /// The number of calls that were dropped.
    public var dropped = 0
    /// The number of calls that passed and were not rejected by the peer, including failed ones.
    public var accepted = 0
    /// The number of calls that passed and were rejected by the peer.
    public var refused = 0
    /// The number of calls that passed and were canceled.
    public var ignored = 0
}

/// An error that indicates that a call was dropped because the peer rejects too many.
public struct SheddingError: ClassifiedError, Equatable, CustomStringConvertible {
    /// The probability with which a call was dropped, from 0 to 1.
    public let probability: Double

    /// Creates the error.
    public init(probability: Double) { self.probability = probability }

    /// The class ``ResponseClass/failure``, since another attempt would add load.
    public var responseClass: ResponseClass { .failure }

    /// The text of the error: `dropped, as 75% of calls are: the other side refuses too many`.
    public var description: String {
        "dropped, as \(percent(probability)) of calls are: the other side refuses too many"
    }
}

extension SheddingFilter: StackStage {
    /// The role ``StackRole/shedding``.
    public var stackRole: StackRole { .shedding }
}

/// Load shedding in a document: `{"shedding": {}}`.
enum SheddingKind: FilterKind {
    static let name = "shedding"
    static let summary = "Drops calls when the other side refuses many"
    static let refused = StackKey(
        "refused",
        .share,
        default: 0.5,
        "the share of refusals above which calls are dropped"
    )
    static let seconds = StackKey("seconds", .positiveSeconds, default: .seconds(120), "the time span of the share")
    static let atMost = StackKey("atMost", .share, default: 0.75, "the greatest share of dropped calls")
    static let minimumRate = StackKey(
        "minimumRate",
        .count(0...1_000_000_000),
        default: 5,
        "the number of calls in a second below which none is dropped"
    )
    static let keys: [any FilterKey] = [refused, seconds, atMost, minimumRate]
    static let examples = [
        FilterExample(
            #"{"shedding": {"refused": 0.4, "seconds": 60, "atMost": 0.5, "minimumRate": 9}}"#,
            "SheddingFilter"
        )
    ]

    static func role(_ settings: StackSettings) -> StackRole { .shedding }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) -> any SimpleFilter<Request, Response> {
        SheddingFilter<Request, Response>(
            refused: settings[refused],
            over: settings[seconds],
            atMost: settings[atMost],
            minimumRate: settings[minimumRate],
            random: builder.bindings.random,
            clock: builder.bindings.clock
        )
    }
}
