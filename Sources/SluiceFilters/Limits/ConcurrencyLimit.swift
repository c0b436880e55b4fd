/// How many calls of a ``ConcurrencyFilter`` may run at the same time: a number, or one that follows what comes back.
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

    /// Always `count` calls; below 1 counts as 1.
    public static func fixed(_ count: Int) -> ConcurrencyLimit { ConcurrencyLimit(kind: .fixed(max(count, 1))) }

    /// Additive increase, multiplicative decrease, as TCP and Netflix's concurrency limits do it: one more after each
    /// call that ends well while at least half of the limit was in use; `backoff` times as many after a call that was
    /// refused, timed out or took longer than `slow`.
    ///
    /// Of calls that ran together only the first bad one lowers the limit: one hiccup of the peer is answered once, as
    /// TCP answers the losses of one round trip.
    ///
    /// - Parameters:
    ///   - initial: the limit to start with; the lower bound by default.
    ///   - bounds: the limit stays in them.
    ///   - backoff: from 0.5 to 1.
    ///   - slow: a call that takes longer counts as bad.
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

    /// `10`, or `20 to 200`.
    public var description: String {
        switch kind {
        case .fixed(let count): "\(count)"
        case .aimd(let limit): "\(limit.bounds.lowerBound) to \(limit.bounds.upperBound)"
        }
    }
}

extension ConcurrencyLimit {
    /// `ConcurrencyFilter(10)`.
    public init(integerLiteral value: Int) { self = .fixed(value) }
}

/// A limit that grows by one and shrinks by a factor. Time is an input, in nanoseconds.
struct AIMD: Sendable {
    let bounds: ClosedRange<Int>
    let backoff: Double
    let slow: Int64
    private(set) var limit: Int
    /// Which decrease the calls that begin now come after.
    private(set) var generation = 0

    init(initial: Int, in bounds: ClosedRange<Int>, backoff: Double, slow: Int64) {
        let lower = max(bounds.lowerBound, 1)
        self.bounds = lower...max(bounds.upperBound, lower)
        self.backoff = min(max(backoff, 0.5), 1)
        self.slow = slow
        limit = min(max(initial, self.bounds.lowerBound), self.bounds.upperBound)
    }

    /// A call ended that began in `generation` as one of `inFlight`.
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
