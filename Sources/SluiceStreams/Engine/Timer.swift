import Sluice

/// An action that a run does later. It is armed for one time at a time.
@usableFromInline final class Timer {
    /// The position in the queue for which it is armed; 0 when it is not armed.
    fileprivate(set) var armed: Int64 = 0
    /// The time at which the wait began: that of the arming, or an earlier one if it is armed for the rest of a wait.
    fileprivate(set) var since = StreamTime.zero
    /// A Boolean value that indicates whether an edit has moved it to the instant of the edit.
    var isMovedToNow = false
    private(set) var fire: () -> Void

    /// Creates a timer that is not armed. The run disarms it and calls `fire` when it is due.
    @usableFromInline init(_ fire: @escaping () -> Void) { self.fire = fire }

    /// Releases its action: most timers are armed by their own action, and would keep themselves alive.
    fileprivate func forget() { fire = {} }

    /// A Boolean value that indicates whether it is armed.
    var isArmed: Bool { armed != 0 }
}

/// Timers ordered by time, then by the order in which they were armed.
///
/// The entry of a timer that was disarmed or armed again is dead; it stays until it reaches the top, or until half of
/// the heap is dead.
///
/// - Complexity: O(log *n*) to arm and to take, O(1) to read and to disarm; amortized.
struct TimerQueue {
    private struct Entry: HeapElement {
        let time: StreamTime
        let order: Int64
        let timer: Timer

        func precedes(_ other: Entry) -> Bool {
            time == other.time ? order < other.order : time < other.time
        }
    }

    private var heap = Heap<Entry>()
    private var dead = 0

    /// The number of armed timers.
    var count: Int { heap.count - dead }

    /// The number of entries, including the dead ones.
    var entryCount: Int { heap.count }

    /// The time and position of each armed timer.
    var places: [ObjectIdentifier: TimerPlace] {
        var places: [ObjectIdentifier: TimerPlace] = [:]
        for entry in heap.unordered where entry.timer.armed == entry.order {
            let place = TimerPlace(due: entry.time, order: entry.order, since: entry.timer.since)
            places[ObjectIdentifier(entry.timer)] = place
        }
        return places
    }

    /// Returns the time at which a timer is due; `nil` if it is not armed.
    ///
    /// - Complexity: O(*n*)
    func due(of timer: Timer) -> StreamTime? {
        timer.isArmed ? heap.unordered.first { $0.timer === timer && $0.order == timer.armed }?.time : nil
    }

    /// The time at which the next timer is due.
    var nextDue: StreamTime? {
        mutating get {
            dropDead()
            return heap.first?.time
        }
    }

    /// Arms a timer; one that is armed already is armed again.
    ///
    /// - Parameters:
    ///   - order: Its position among the timers that are due at the same time; positions are distinct and not 0.
    ///   - since: The time at which the wait began.
    mutating func arm(_ timer: Timer, at time: StreamTime, order: Int64, since: StreamTime = .zero) {
        if timer.isArmed {
            // An entry of the same order would not be dead.
            if timer.armed == order { remove(order) } else { dead += 1 }
        }
        (timer.armed, timer.since) = (order, since)
        heap.insert(Entry(time: time, order: order, timer: timer))
        if dead > heap.count / 2 + 64 { bury() }
    }

    /// Disarms a timer.
    mutating func disarm(_ timer: Timer) {
        guard timer.isArmed else { return }
        timer.armed = 0
        dead += 1
    }

    /// Disarms a timer for good.
    mutating func remove(_ timer: Timer) {
        disarm(timer)
        timer.forget()
    }

    /// Removes and returns the next timer if it is due by `limit`, and disarms it.
    mutating func take(by limit: StreamTime) -> (time: StreamTime, order: Int64, timer: Timer)? {
        dropDead()
        guard let first = heap.first, first.time <= limit else { return nil }
        _ = heap.popFirst()
        first.timer.armed = 0
        return (first.time, first.order, first.timer)
    }

    private mutating func dropDead() {
        while let first = heap.first, first.timer.armed != first.order {
            _ = heap.popFirst()
            dead -= 1
        }
    }

    /// Removes the entry of an order.
    private mutating func remove(_ order: Int64) {
        heap.removeAll { $0.order == order && $0.timer.armed == order }
    }

    private mutating func bury() {
        heap.removeAll { $0.timer.armed != $0.order }
        dead = 0
    }
}
