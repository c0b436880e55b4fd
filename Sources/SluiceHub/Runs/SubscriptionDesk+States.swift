#if Hub
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The readers of states: of one stream, and of all.
extension SubscriptionDesk {
    /// Sends the states of a stream.
    func watch(_ stream: String, _ reader: some SubscriptionReader) async throws {
        let (notes, note) = AsyncStream<Note>.makeStream(bufferingPolicy: .bufferingNewest(Self.keptStates))
        let client = reader.isClient ? Client(nudge: { note.yield(.nudge) }, end: { note.finish() }) : nil
        let number = add(client) { $0.readers[stream, default: Readers()].watches[$1] = note }
        defer { remove(number, stream) }
        note.yield(.document)
        var (last, shown) = (reader.position, 0)
        for await next in notes {
            let notice: StateNotice
            switch next {
            case .nudge:
                try await reader.rest()
                continue
            // A later state was sent while this one waited.
            case .state(_, let number) where number <= shown: continue
            case .state(let state, _): notice = state
            case .document:
                do {
                    guard let present = try await present(stream, reader) else { continue }
                    (notice, shown) = present
                } catch let error as StoreError {
                    try await wait(for: error, reader) { note.yield(.document) }
                    continue
                }
            }
            let text = notice.json.text()
            if text != last { try await reader.send(notice.json, at: text) }
            last = text
        }
    }

    /// Returns the present state of a stream, and the number of the last note that it covers; reports a stream that doesn't
    /// exist.
    private func present(
        _ stream: String,
        _ reader: some SubscriptionReader
    ) async throws -> (StateNotice, Int)? {
        guard try await store.read(stream) != nil else {
            try await reader.report(waiting: "there is no stream with the id '\(stream)'")
            return nil
        }
        let run = try await store.run(of: stream)
        try await reader.report(waiting: nil)
        return state.withLock { state in
            let known = StateNotice(bus.status(of: stream), blocked: state.blocked[stream] ?? [])
            return (known ?? StateNotice(stored: run, of: stream), state.stateCount)
        }
    }

    /// Sends the states of all streams but the reader's own: those that need attention, then every change.
    func watchAll(_ reader: some SubscriptionReader) async throws {
        let (notes, note) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let client = reader.isClient ? Client(nudge: { note.yield() }, end: { note.finish() }) : nil
        let number = add(client) { $0.overviews[$1] = Overview(note: note) }
        defer { remove(number, nil) }
        note.yield()
        var hasBegun = false
        for await _ in notes {
            if !hasBegun {
                do {
                    begin(number, with: try await store.runs())
                    hasBegun = true
                    try await reader.report(waiting: nil)
                } catch let error as StoreError {
                    try await wait(for: error, reader) { note.yield() }
                    continue
                }
            }
            for notice in state.withLock({ $0.overviews[number]?.take() ?? [] }) where notice.stream != reader.stream {
                try await reader.send(notice.json, at: Self.overviewPosition)
            }
            try await reader.rest()
        }
    }

    /// The position of each state of all streams: a reader that resumes begins with the present ones.
    private static let overviewPosition = "states"

    /// Adds the present states that need attention to what a reader of all states gets first, and remembers the others.
    private func begin(_ number: Int, with runs: [StoredRun]) {
        state.withLock { state in
            for run in runs {
                let known = StateNotice(bus.status(of: run.stream), blocked: state.blocked[run.stream] ?? [])
                let notice = known ?? StateNotice(stored: run, of: run.stream)
                // One that came meanwhile is newer.
                guard state.overviews[number]?.last[run.stream] == nil else { continue }
                state.overviews[number]?.add(notice, isSent: notice.needsAttention)
            }
        }
    }
}
#endif
