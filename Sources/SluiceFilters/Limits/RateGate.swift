internal import Sluice

/// A ``TokenBucket`` and the calls that wait for its tokens, first come, first served.
///
/// A waiting call has a slot: the time of a token. A call that leaves early gives up the last slot of the line, and the
/// calls after it move up: no token is lost, and no call is overtaken.
final class RateGate: Sendable {
    /// The time of a token for which a call waits.
    ///
    /// `@unchecked Sendable`: restates the superclass's conformance; `isRetired` is accessed only under the gate's
    /// lock.
    fileprivate final class Slot: TimerEntry, @unchecked Sendable {
        var isRetired = false
        private let whenDue: @Sendable (Slot) -> Void

        init(whenDue: @escaping @Sendable (Slot) -> Void) { self.whenDue = whenDue }

        override func fire() { whenDue(self) }
    }

    enum Admission {
        case passed
        case waiting(Turn)
        case refused(retryAfter: Int64)
    }

    /// A place in the line.
    struct Turn {
        /// The latest time of the turn.
        let time: Int64
        fileprivate let id: Int
        fileprivate let call: PendingCall<Void>
        fileprivate let slot: Slot
    }

    private struct State {
        var bucket = TokenBucket()
        var line = WaitingLine<PendingCall<Void>>(capacity: .max)
        /// The slots of the waiting calls, in the order of their times.
        var slots: ArraySlice<Slot> = []
    }

    private let state = Locked(State())
    private let rate: TokenBucket.Rate
    private let timer: CallTimer

    init(_ rate: TokenBucket.Rate, _ timer: CallTimer) {
        self.rate = rate
        self.timer = timer
    }

    /// Returns a Boolean value that indicates whether it is equivalent to a new one.
    func isIdle(at now: Int64) -> Bool {
        state.withLock { $0.line.isEmpty && $0.bucket.isFull(at: now, rate) }
    }

    /// The number of waiting calls.
    var waiting: Int { state.withLock { $0.line.count } }

    /// Takes a token, or a place in the line if its turn comes at `latest` or before.
    func enter(at now: Int64, latest: Int64) -> Admission {
        state.withLock { state in
            if state.line.isEmpty, state.bucket.take(at: now, rate) { return .passed }
            let time = state.bucket.nextToken(after: state.line.count, rate)
            guard time <= latest else { return .refused(retryAfter: time - now) }
            let call = PendingCall<Void>()
            guard let (id, _) = state.line.join(call, priority: 0) else { return .refused(retryAfter: time - now) }
            let slot = Slot { [self] in fire($0) }
            state.slots.append(slot)
            return .waiting(Turn(time: time, id: id, call: call, slot: slot))
        }
    }

    /// Waits for its turn.
    ///
    /// - Throws: `CancellationError` when the task is canceled, immediately; the others keep their order.
    nonisolated(nonsending) func wait(_ turn: Turn) async throws {
        let slot = turn.slot
        timer.schedule(slot, at: turn.time)
        // Another call may have given it up before it was scheduled.
        if state.withLock({ _ in slot.isRetired }) { timer.cancel(slot) }
        do {
            try await turn.call.value()
        } catch {
            leave(turn.id)
            throw error
        }
    }

    private func leave(_ id: Int) {
        let slot = state.withLock { state -> Slot? in
            guard state.line.remove(id), let slot = state.slots.popLast() else { return nil }
            slot.isRetired = true
            return slot
        }
        if let slot { timer.cancel(slot) }
    }

    private func fire(_ slot: Slot) {
        let now = timer.now
        let (retired, next) = state.withLock { state -> ([Slot], Int64?) in
            var retired: [Slot] = []
            while !state.line.isEmpty, state.bucket.nextToken(rate) <= now, let first = state.slots.first {
                if let call = state.line.popFirst(), call.end(.success(())) {
                    _ = state.bucket.take(at: now, rate)
                    state.slots.removeFirst()
                    retired.append(first)
                } else if let last = state.slots.popLast() {
                    // The slot of a call that was canceled and is about to leave.
                    retired.append(last)
                }
            }
            retired.forEach { $0.isRetired = true }
            return (retired, slot.isRetired ? nil : state.bucket.nextToken(rate))
        }
        for other in retired where other !== slot { timer.cancel(other) }
        if let next { timer.schedule(slot, at: next) }
    }
}
