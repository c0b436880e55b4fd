import SluiceJSON

/// The time of a run, and the positions in the order of the current instant and of arming.
struct SavedClock: Savable {
    let now: StreamTime
    let order: Int64
    let lastOrder: Int64

    init(now: StreamTime, order: Int64, lastOrder: Int64) {
        (self.now, self.order, self.lastOrder) = (now, order, lastOrder)
    }

    init(saved json: JSON) throws {
        guard case .array(let parts) = json, parts.count == 3 else { throw StreamError.unreadable("a clock", json) }
        now = try StreamTime(saved: parts[0])
        order = try Int64(saved: parts[1])
        lastOrder = try Int64(saved: parts[2])
        guard lastOrder >= 0, lastOrder < Int64.max / 4 else { throw StreamError.unreadable("a clock", json) }
    }

    var saved: JSON { [now.saved, .int(order), .int(lastOrder)] }
}
