import SluiceStreams

extension Deliveries {
    /// Returns the sinks of a stream in the order of its document.
    package func status(of stream: String) async throws -> [SinkStatus] {
        let letters = try await store.deadLetterCounts(of: stream)
        guard let entry = streams[stream] else { return [] }
        return entry.order.compactMap { id in
            entry.sinks[id]?.status(
                waiting: { ledger.count(of: stream, after: $0) },
                deadLetters: letters[id] ?? 0,
                at: timer.now
            )
        }
    }

    /// Returns the sinks of a stream in the order of its document, without the numbers of their dead letters.
    package func statusWithoutLetters(of stream: String) -> [SinkStatus] {
        guard let entry = streams[stream] else { return [] }
        let waiting = { self.ledger.count(of: stream, after: $0) }
        return entry.order.compactMap { entry.sinks[$0]?.status(waiting: waiting, deadLetters: 0, at: timer.now) }
    }

    /// Returns the figures of all sinks that are in use, by stream and id, for monitoring.
    ///
    /// - Complexity: O(*n* log *n*), where *n* is the number of sinks.
    package var figures: [SinkFigures] {
        streams.flatMap { stream, entry in
            entry.sinks.values.map { work in
                let waiting = { self.ledger.count(of: stream, after: $0) }
                return SinkFigures(stream, work.status(waiting: waiting, deadLetters: 0, at: timer.now))
            }
        }
        .sorted { ($0.stream, $0.sink) < ($1.stream, $1.sink) }
    }

    /// Attempts what is blocked, or waits for its next attempt, now.
    ///
    /// - Returns: A Boolean value that indicates whether there was something; `nil` where there is no such sink.
    package func retry(_ sink: String, of stream: String) async throws -> Bool? {
        guard let work = streams[stream]?.sinks[sink] else { return nil }
        let found = work.outbox.retry()
        // Also if the store refuses it: the sink is not blocked any more, and has no alarm.
        defer { pumpSoon(work, stream) }
        try await commit(work, stream)
        return found
    }

    /// Moves the delivery at which a sink is blocked, or that waits for its next attempt, to the dead letters.
    ///
    /// - Returns: A Boolean value that indicates whether there was one; `nil` where there is no such sink.
    /// - Throws: ``DeadLettersFullError``; `StoreError`.
    package func skip(_ sink: String, of stream: String) async throws -> Bool? {
        guard let work = streams[stream]?.sinks[sink] else { return nil }
        if work.outbox.canSkip, try await letterRoom(of: stream) == 0 { throw DeadLettersFullError() }
        let found = try await bury(work, stream)
        defer { pumpSoon(work, stream) }
        try await commit(work, stream)
        return found
    }
}
