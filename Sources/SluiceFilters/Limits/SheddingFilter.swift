public import Sluice

/// Drops a part of the calls on this side when the other side refuses many of them, so that its refusals do not cost it
/// more than answers would.
///
/// ```swift
/// let filter = SheddingFilter<String, Person>(when: { $0 is Overloaded })
/// let user = try await filter.andThen(users).process("ada")  // throws Shed for some when most calls are refused
/// ```
///
/// The algorithm is Finagle's `NackAdmissionFilter`: a moving average of accepted calls; as it falls from
/// 1 - `refused` to 0, calls are dropped with a probability from 0 to `atMost`. What passes keeps the average up to date,
/// so that it recovers by itself. Copies of the filter share what they know.
///
/// It stands inside of a ``RetryFilter``: dropped calls are not tried again.
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

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - refused: the share of refused calls (0 to 1) above which calls are dropped.
    ///   - span: the time over which the average forgets; a sample that old weighs 1/e.
    ///   - atMost: the largest share of calls (0 to 1) that is dropped.
    ///   - minimumRate: with fewer calls in the last second, refusals do not count.
    ///   - random: decides which calls are dropped.
    ///   - clock: measures all times.
    ///   - isRefusal: called for each error: returns whether the other side refused the call. By default a
    ///     ``ClassifiedRequest`` tells, of answers too; else ``Overloaded`` and ``RateLimited`` are refusals.
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
                return isRefusal?(error) ?? (error is Overloaded || error is RateLimited)
            }
    }

    /// What the filter and its copies have seen.
    public var counts: SheddingCounts { shared.storage.withLock { $0.counts } }

    /// Calls `next` unless the call is dropped.
    ///
    /// - Throws: ``Shed``, without calling `next`; the error of `next`.
    /// - Cancellation: cancels `next`; a canceled call says nothing about the other side.
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
        let error = Shed(probability: probability)
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

    /// `SheddingFilter`.
    public var description: String { "SheddingFilter" }
}

/// What a ``SheddingFilter`` has seen.
public struct SheddingCounts: Sendable, Equatable {
    /// Calls that passed.
    public var passed = 0
    /// Calls that were dropped.
    public var dropped = 0
    /// Calls that passed and were not refused by the other side, failed ones too.
    public var accepted = 0
    /// Calls that passed and were refused by the other side.
    public var refused = 0
    /// Calls that passed and were canceled.
    public var ignored = 0
}

/// A call was dropped since the other side refuses too many.
public struct Shed: ClassifiedError, Equatable, CustomStringConvertible {
    /// How likely a call was dropped, from 0 to 1.
    public let probability: Double

    /// Makes the error.
    public init(probability: Double) { self.probability = probability }

    /// ``ResponseClass/failure``: another try would be more load.
    public var responseClass: ResponseClass { .failure }

    /// `dropped, as 75% of calls are: the other side refuses too many`.
    public var description: String {
        "dropped, as \(percent(probability)) of calls are: the other side refuses too many"
    }
}
