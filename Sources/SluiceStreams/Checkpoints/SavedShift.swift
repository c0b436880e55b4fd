import SluiceJSON

/// The way from the clock of one run to that of another, in which a part of the first one's state goes on.
struct SavedShift: Sendable {
    /// The shift of the state that is being read.
    @TaskLocal static var current: SavedShift?

    /// The nanoseconds to add to an instant.
    let time: Int64
    /// The number to add to a position in the order of timers.
    let order: Int64

    /// Returns the result of a closure that reads a saved state.
    static func reading<Value>(_ shift: SavedShift?, _ body: () throws -> Value) rethrows -> Value {
        guard let shift else { return try body() }
        return try $current.withValue(shift, operation: body)
    }

    /// Returns an instant of a saved state, in the time of the run that reads it.
    func moved(_ time: StreamTime) throws -> StreamTime {
        let (nanoseconds, isTooLarge) = time.nanoseconds.addingReportingOverflow(self.time)
        guard !isTooLarge, nanoseconds >= 0, nanoseconds <= StreamTime.latest.nanoseconds else {
            throw StreamError(message: "the time \(time) is beyond those of the run")
        }
        return StreamTime(nanoseconds: nanoseconds)
    }
}

/// A position in the order of timers, as a checkpoint has it.
struct SavedOrder: Savable {
    let value: Int64

    init(_ value: Int64) { self.value = value }

    init(saved json: JSON) throws {
        let order = try Int64(saved: json)
        let shift = order > 0 ? SavedShift.current?.order ?? 0 : 0
        let (moved, isTooLarge) = order.addingReportingOverflow(shift)
        guard !isTooLarge else { throw StreamError.unreadable("a place", json) }
        value = moved
    }

    var saved: JSON { .int(value) }
}
