/// The maximum number of concurrent calls of a ``ConcurrencyFilter``: a fixed number, or one that adapts to results.
///
/// ```swift
/// let fixed: ConcurrencyLimit = 10
/// let adaptive = ConcurrencyLimit.aimd(in: 5...200)
/// ```
public struct ConcurrencyLimit: Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    enum Kind: Sendable {
        case fixed(Int)
        case aimd(AIMD)
    }

    let kind: Kind

    /// Returns a limit of `count` calls; below 1 counts as 1.
    public static func fixed(_ count: Int) -> ConcurrencyLimit { ConcurrencyLimit(kind: .fixed(max(count, 1))) }

    /// Returns a limit with additive increase and multiplicative decrease, as in TCP and Netflix's concurrency limits:
    /// one more after each successful call while at least half of the limit was in use; `backoff` times as many after a
    /// call that was rejected, timed out, or took longer than `slow`.
    ///
    /// Of concurrent calls, only the first bad one lowers the limit: one hiccup of the peer counts once, as TCP counts
    /// the losses of one round trip.
    ///
    /// - Parameters:
    ///   - initial: The initial limit; the lower bound by default.
    ///   - bounds: The range of the limit.
    ///   - backoff: The factor of a decrease, from 0.5 to 1.
    ///   - slow: The duration above which a call counts as bad.
    public static func aimd(
        initial: Int? = nil,
        in bounds: ClosedRange<Int> = 20...200,
        backoff: Double = 0.9,
        slow: Duration = .seconds(5)
    ) -> ConcurrencyLimit {
        ConcurrencyLimit(
            kind: .aimd(
                AIMD(initial: initial ?? bounds.lowerBound, in: bounds, backoff: backoff, slow: slow.nanoseconds)
            )
        )
    }

    /// The limit as text: `10`, or `20 to 200`.
    public var description: String {
        switch kind {
        case .fixed(let count): "\(count)"
        case .aimd(let limit): "\(limit.bounds.lowerBound) to \(limit.bounds.upperBound)"
        }
    }
}

extension ConcurrencyLimit {
    /// Creates a fixed limit, as in `ConcurrencyFilter(10)`.
    public init(integerLiteral value: Int) { self = .fixed(value) }
}

/// A limit that grows by one and shrinks by a factor. Time is an input, in nanoseconds.
struct AIMD: Sendable {
    let bounds: ClosedRange<Int>
    let backoff: Double
    let slow: Int64
    private(set) var limit: Int
    /// The number of decreases before the calls that begin now.
    private(set) var generation = 0

    init(initial: Int, in bounds: ClosedRange<Int>, backoff: Double, slow: Int64) {
        let lower = max(bounds.lowerBound, 1)
        self.bounds = lower...max(bounds.upperBound, lower)
        self.backoff = min(max(backoff, 0.5), 1)
        self.slow = slow
        limit = min(max(initial, self.bounds.lowerBound), self.bounds.upperBound)
    }

    /// Counts the end of a call that began in `generation` as one of `inFlight`.
    mutating func record(isBad: Bool, duration: Int64, inFlight: Int, generation: Int) {
        if isBad || duration > slow {
            guard generation == self.generation else { return }
            self.generation += 1
            limit = max(Int(Double(limit) * backoff), bounds.lowerBound)
        } else if inFlight * 2 >= limit {
            limit = min(limit + 1, bounds.upperBound)
        }
    }
}
