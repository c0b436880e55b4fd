import Sluice
import SluiceStreams

/// A sink with its outbox, which ``Deliveries`` works on.
///
/// `@unchecked Sendable`: only the actor reads and writes it; tasks and alarms hand it back to the actor.
final class SinkWork: @unchecked Sendable {
    private(set) var sink: CompiledSink
    /// The filters around each attempt.
    private(set) var filters: SinkFilters
    var outbox: Outbox
    /// The number of edits and resets, after which what was read before is not offered.
    private(set) var edits = 0
    /// A Boolean value that indicates whether the store may have outputs that were not offered.
    var mayHaveMore = true
    var isPumping = false
    /// A Boolean value that indicates whether a pump was asked for while one was at work.
    var isCalled = false
    /// A Boolean value that indicates whether the sink was blocked at the last notice.
    var isKnownBlocked = false
    /// A Boolean value that indicates whether the store has taken the last change. No attempt begins while it does not: after
    /// a kill, another process would repeat what can't be stored.
    var canStore = true
    /// A Boolean value that indicates whether a store of acknowledgments is scheduled.
    var isFlushing = false
    /// The right to store a change: one at a time, so that none replaces a later one.
    let storing = AsyncLock()
    /// The attempts in flight.
    var flights: [Int: Task<Void, Never>] = [:]
    private(set) var isClosed = false
    private(set) var alarm: (any RunAlarm)?

    /// - Parameter isEditExpected: A Boolean value that indicates whether the edited sink follows.
    init(_ sink: CompiledSink, _ outbox: Outbox, isEditExpected: Bool = false, clock: any Clock<Duration>) {
        (self.sink, self.outbox) = (sink, outbox)
        filters = SinkFilters(sink.rules.stack, clock: clock)
        guard !isEditExpected else { return }
        // A process may have been killed between an edit of the document and that of its sink.
        if !isKnown(to: sink) { self.outbox.edit(sink.rules) }
        self.outbox.fingerprint = Self.fingerprint(of: sink)
    }

    /// Returns a Boolean value that indicates whether the stored state is of the same sink, as far as it says.
    private func isKnown(to sink: CompiledSink) -> Bool {
        outbox.fingerprint.map { $0 == Self.fingerprint(of: sink) } ?? true
    }

    /// Returns the fingerprint of a sink, as it is stored.
    static func fingerprint(of sink: CompiledSink) -> String { FNV1a(sink.fingerprint).text }

    /// Takes up an edited sink. An unchanged one continues to wait, or stays blocked, unless its failure has ended the run,
    /// which begins again now.
    func edit(_ next: CompiledSink) {
        let isSame = next.fingerprint == sink.fingerprint && isKnown(to: next)
        if next.rules.stack != sink.rules.stack { filters.use(next.rules.stack) }
        sink = next
        edits += 1
        mayHaveMore = true
        outbox.fingerprint = Self.fingerprint(of: next)
        if !isSame {
            outbox.edit(next.rules)
        } else if next.rules.onFailure == .fail {
            _ = outbox.retry(isBlockedOnly: true)
        }
    }

    /// Forgets the outputs up to a run, which were removed from the store.
    func forget(upTo run: Int) {
        edits += 1
        endFlights()
        outbox.forget(upTo: run)
    }

    /// Waits until the change that is being stored is stored.
    func awaitStoring() async {
        await storing.lock()
        storing.unlock()
    }

    func close() {
        isClosed = true
        alarm?.cancel()
        endFlights()
    }

    /// Cancels the attempts in flight, whose outcomes don't matter any more.
    private func endFlights() {
        for flight in flights.values { flight.cancel() }
        flights = [:]
    }

    func setAlarm(at instant: Int64?, _ timer: any RunTimer, _ body: @escaping @Sendable () -> Void) {
        alarm?.cancel()
        alarm = instant.map { timer.schedule(at: $0, body) }
    }

    /// The state, as it is shown.
    ///
    /// - Parameter waiting: Returns the number of outputs of the stream after a place.
    func status(waiting: (OutputPlace) -> Int, deadLetters: Int, at now: Int64) -> SinkStatus {
        let count = max(0, waiting(outbox.cursor) - outbox.doneAhead)
        let next = outbox.nextAttempt
        let state: String
        if sink.isDisabled {
            state = "disabled"
        } else if outbox.isBlocked {
            state = "blocked"
        } else if outbox.flights == 0, let next, next > now {
            state = "waiting"
        } else {
            state = count > 0 ? "delivering" : "idle"
        }
        return SinkStatus(
            id: sink.id,
            kind: sink.kind,
            state: state,
            delivered: outbox.delivered,
            waiting: count,
            failed: outbox.failed,
            deadLetters: deadLetters,
            cursor: outbox.cursor,
            error: outbox.error,
            retryIn: state == "waiting" ? next.map { Double(max(0, $0 - now) / 1_000_000) / 1000 } : nil,
            troubled: outbox.troubled
        )
    }
}
