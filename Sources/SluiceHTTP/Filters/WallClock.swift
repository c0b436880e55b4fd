#if HTTP
public import Foundation

/// A clock for the date, for the dates of HTTP: `Retry-After`, `Expires`, and ages.
///
/// ```swift
/// let christmas = WallClock { Date(timeIntervalSince1970: 1_766_620_800) }
/// print(christmas.now.timeIntervalSince1970)  // 1766620800.0
/// ```
public struct WallClock: Sendable {
    private let read: @Sendable () -> Date

    /// The clock of the system.
    public static let system = WallClock { Date() }

    /// Makes a clock.
    ///
    /// - Parameter read: a closure that returns the date; called on any thread, for each read.
    public init(_ read: @escaping @Sendable () -> Date) { self.read = read }

    /// Makes a clock that shows `start` now, and advances as `clock` does: with a `TestClock`, tests control the date.
    public init<C: Clock>(start: Date, clock: C) where C.Duration == Duration {
        let origin = clock.now
        self.init { start.addingTimeInterval(origin.duration(to: clock.now).inSeconds) }
    }

    /// The current date.
    public var now: Date { read() }

    /// The date in seconds since 1970.
    var time: Double { now.timeIntervalSince1970 }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
#endif
