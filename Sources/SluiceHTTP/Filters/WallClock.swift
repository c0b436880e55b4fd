public import Foundation

/// Tells the date, for what HTTP says in dates: `Retry-After`, `Expires`, ages.
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
    /// - Parameter read: called on any thread, each time that the date is asked for.
    public init(_ read: @escaping @Sendable () -> Date) { self.read = read }

    /// A clock that shows `start` now, and goes on as `clock` does: a `TestClock` makes the date one that tests move.
    public init<C: Clock>(start: Date, clock: C) where C.Duration == Duration {
        let origin = clock.now
        self.init { start.addingTimeInterval(origin.duration(to: clock.now).inSeconds) }
    }

    /// The date.
    public var now: Date { read() }

    /// The date in seconds since 1970.
    var time: Double { now.timeIntervalSince1970 }
}

extension Duration {
    /// In seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
