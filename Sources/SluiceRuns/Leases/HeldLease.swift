/// A lease as the member that holds it knows it: until when it may act under its number.
///
/// Instants are nanoseconds of the member's own monotonic clock. The time of a lease counts from the instant at which the
/// member asked for it, which is before the hub granted it, so that the member stops before the hub lets another begin.
package struct HeldLease: Sendable, Equatable {
    /// The part of a lease that is left when its holder stops, in nanoseconds.
    package static let margin: Int64 = 1_500_000_000

    /// The number of the lease.
    package let number: Int
    private let duration: Int64
    /// The instant from which the member may not act.
    package private(set) var end: Int64
    /// The instant at which the lease is to be renewed.
    package private(set) var nextRenewal: Int64
    private var isOver = false

    /// Creates a lease that was granted.
    ///
    /// - Parameters:
    ///   - number: the number of the lease.
    ///   - duration: the time for which the hub has granted it, in nanoseconds.
    ///   - asked: the instant at which the member asked for it.
    package init(_ number: Int, for duration: Int64, askedAt asked: Int64) {
        (self.number, self.duration) = (number, duration)
        (end, nextRenewal) = (.min, .min)
        extend(from: asked)
    }

    private mutating func extend(from asked: Int64) {
        end = max(end, asked.advanced(byClamping: max(0, duration - Self.margin)))
        nextRenewal = asked.advanced(byClamping: duration / 5)
    }

    /// Returns a Boolean value that indicates whether the member may act.
    package func holds(at now: Int64) -> Bool { !isOver && now < end }

    /// Notes that the hub has renewed the lease. One that has ended by the member's clock stays ended.
    package mutating func renewed(askedAt asked: Int64, at now: Int64) {
        if holds(at: now) { extend(from: asked) } else { isOver = true }
    }

    /// Notes that a renewal has failed: the next attempt follows soon.
    package mutating func failed(at now: Int64) { nextRenewal = now.advanced(byClamping: duration / 20) }

    /// Notes that the lease is not this member's any more.
    package mutating func lose() { isOver = true }
}
