#if Hub
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The readers of outputs and errors, which come from this hub, or from another hub or workers.
extension SubscriptionDesk {
    /// Sends the outputs of a stream that match, in order.
    func read(
        _ stream: String,
        _ subscription: StreamSubscription,
        _ reader: some SubscriptionReader
    ) async throws {
        let (notes, note) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let isEnded = CancelFlag()
        let end: @Sendable () -> Void = {
            isEnded.set()
            note.finish()
        }
        let client = reader.isClient ? Client(nudge: { note.yield() }, end: end) : nil
        let number = add(client) { $0.readers[stream, default: Readers()].notes[$1] = note }
        defer { remove(number, stream) }
        var place = reader.position.flatMap(SubscriptionPosition.init)
        // The first output says how large the others may be.
        var limit = 1
        var seen: Int?
        var next = notes.makeAsyncIterator()
        repeat {
            var source = "the store"
            do {
                let changes = state.withLock { $0.readers[stream]?.changes ?? 0 }
                if seen != changes {
                    let exists = try await store.read(stream) != nil
                    try await reader.report(waiting: reason(to: stream, exists: exists))
                    seen = changes
                    if !exists { continue }
                }
                var last: SubscriptionPosition
                if let place {
                    last = place
                } else {
                    last = SubscriptionPosition(try await begin(stream, subscription))
                    try await reader.mark(at: "\(last)")
                    place = last
                }
                while true {
                    let stored = state.withLock { $0.readers[stream]?.stored }
                    // A store that fails at the next page is asked for that page again.
                    while let next = try await send(stream, after: last, &limit, subscription, reader) {
                        last.place = next
                        place = last
                    }
                    // Outputs of this hub come before those from elsewhere.
                    guard let shared, !isEnded.isSet, try await isElsewhere(stream, seen) else { break }
                    // After a failure, the next reading goes on from this position.
                    defer { place = last }
                    source = "the cluster"
                    let reading = SharedSubscription(subscription, to: stream, over: shared, timer: timer)
                    try await reading.read(for: reader, from: &last, isOwn: { try await self.isOwn($0, $1, stream) }) {
                        // The last outputs of a run that was stopped here are stored a little later.
                        if isEnded.isSet || self.state.withLock({ $0.readers[stream]?.stored }) != stored {
                            return false
                        }
                        return try await self.isElsewhere(stream, seen)
                    }
                    source = "the store"
                }
                try await reader.rest()
            } catch let error as StoreError {
                seen = nil
                try await wait(for: error, of: source, reader) { note.yield() }
            }
        } while await next.next() != nil
    }

    /// Returns a Boolean value that indicates whether a run that is shared is one of this hub, by its name.
    private func isOwn(_ name: String, _ place: OutputPlace, _ stream: String) async throws -> Bool {
        guard let store = store as? any SinkStore, place.run <= (try await store.lastRun(of: stream)) else {
            return false
        }
        return try await store.name(ofRun: place.run, of: stream) == name
    }

    /// Returns a Boolean value that indicates whether a stream runs on another hub, or on workers, as far as is known here.
    ///
    /// - Parameter changes: The number of changes of the document for which the answer is asked.
    private func isElsewhere(_ stream: String, _ changes: Int?) async throws -> Bool {
        guard shared != nil else { return false }
        let (isWorked, present) = state.withLock { ($0.worked.contains(stream), $0.readers[stream]?.changes ?? 0) }
        // The reader looks first whether the stream exists.
        guard present == changes else { return false }
        if isWorked { return true }
        if let known = bus.status(of: stream), known.run > 0 { return known.state == .idle }
        guard let run = try await store.run(of: stream) else { return true }
        return run.state == RunState.idle.rawValue
    }

    /// Returns the reason why no outputs of a stream come for now; `nil` where they do.
    private func reason(to stream: String, exists: Bool) -> String? {
        if !exists { return "there is no stream with the id '\(stream)'" }
        guard shared == nil, state.withLock({ $0.worked.contains(stream) }) else { return nil }
        return
            "workers run the stream '\(stream)', and this hub doesn't have its outputs: give it a sink 'publish', and read its "
            + "subject with 'subject'"
    }

    /// Returns the place where a new subscription begins.
    private func begin(_ stream: String, _ subscription: StreamSubscription) async throws -> OutputPlace {
        guard subscription.start == .now else { return subscription.start.place(now: .start) }
        if let run = try await store.run(of: stream) { return OutputPlace(run: run.run, sequence: run.outputs) }
        return OutputPlace(run: try await store.lastRun(of: stream), sequence: 0)
    }

    /// Sends some of the outputs after a place, and returns the place of the last one that was sent; `nil` where there are no
    /// more.
    private func send(
        _ stream: String,
        after position: SubscriptionPosition,
        _ limit: inout Int,
        _ subscription: StreamSubscription,
        _ reader: some SubscriptionReader
    ) async throws -> OutputPlace? {
        let place = position.place
        let outputs = try await page(of: stream, after: place, &limit)
        guard let first = outputs.first else { return nil }
        // Reading everything that is kept begins wherever that begins.
        let isAnywhere = subscription.start == .start && place == .start
        if subscription.missing == .fail, !isAnywhere { try refuseGap(from: place, to: first.place) }
        var next = position
        for output in outputs {
            next.place = output.place
            if let item = output.item(of: subscription.subject) {
                try await reader.send(item, at: "\(next)")
            } else {
                try await reader.mark(at: "\(next)")
            }
        }
        return outputs.last?.place
    }

    /// Returns the next outputs after a place, which take little memory: a reader may hold them for as long as it likes.
    ///
    /// - Parameter limit: The number of outputs to read; becomes that of the next page, by the size of these.
    func page(
        of stream: String,
        after place: OutputPlace,
        _ limit: inout Int
    ) async throws -> [StoredOutput] {
        let outputs = try await store.outputs(of: stream, afterRun: place.run, sequence: place.sequence, limit: limit)
        var (count, size) = (0, 0)
        for output in outputs where size < Self.pageSize {
            count += 1
            size += output.text.utf8.count
        }
        if count > 0 { limit = max(1, min(Self.page, Self.pageSize / max(1, size / count))) }
        return Array(outputs.prefix(count))
    }

    private func refuseGap(from place: OutputPlace, to first: OutputPlace) throws {
        let isSameRun = first.run == place.run
        let count = isSameRun ? first.sequence - place.sequence - 1 : first.sequence - 1
        guard count > 0 else { return }
        throw StreamError(
            message:
                "\(isSameRun ? "" : "at least ")\(count) outputs after \(place) are no longer kept: the next one is "
                + "\(first); read on without them with \"missing\": \"skip\""
        )
    }
}
#endif
