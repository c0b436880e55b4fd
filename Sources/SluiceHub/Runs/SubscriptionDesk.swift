#if Hub
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The subscriptions of running streams to the outputs, errors, and states of others: the body of the source `subscribe`.
///
/// A reader reads the store at its own pace, and waits for a note while there is nothing more. A note that comes while it
/// reads is kept, so that it reads once more. A reader is a running stream of this hub, or a client (``EventWriter``).
final class SubscriptionDesk: Sendable {
    /// The readers of one stream.
    private struct Readers {
        var notes: [Int: AsyncStream<Void>.Continuation] = [:]
        var watches: [Int: AsyncStream<Note>.Continuation] = [:]
        /// The number of times that the document was stored or removed.
        var changes = 0
        /// The number of times that outputs were stored.
        var stored = 0

        var isEmpty: Bool { notes.isEmpty && watches.isEmpty }
    }

    /// A note for a reader of states.
    private enum Note: Sendable {
        /// A state, with its number.
        case state(StateNotice, Int)
        /// The document was stored or removed, or the reader begins.
        case document
        /// The reader, a client, is to show that it is there.
        case nudge
    }

    /// A reader of the states of all streams: of each, the newest state waits for it.
    private struct Overview {
        let note: AsyncStream<Void>.Continuation
        /// The last state of each stream, as text.
        var last: [String: String] = [:]
        var waiting: [String: StateNotice] = [:]
        /// The streams whose states wait, in order.
        var order: [String] = []

        mutating func add(_ notice: StateNotice, isSent: Bool = true) {
            let text = notice.json.text()
            guard last[notice.stream] != text else { return }
            last[notice.stream] = text
            guard isSent else { return }
            if waiting.updateValue(notice, forKey: notice.stream) == nil { order.append(notice.stream) }
            note.yield()
        }

        mutating func take() -> [StateNotice] {
            defer { (waiting, order) = ([:], []) }
            return order.compactMap { waiting[$0] }
        }
    }

    /// A client that reads.
    private struct Client {
        /// Has it write something, so that a connection that is gone is noticed.
        let nudge: @Sendable () -> Void
        let end: @Sendable () -> Void
    }

    private struct State {
        var readers: [String: Readers] = [:]
        var overviews: [Int: Overview] = [:]
        var clients: [Int: Client] = [:]
        /// The number of states so far.
        var stateCount = 0
        /// The streams that workers of a cluster run, whose outputs this hub does not have.
        var worked: Set<String> = []
        /// The last states of runs that readers of outputs know, where streams can run elsewhere.
        var runStates: [String: RunState] = [:]
        /// The sinks that are blocked, by stream.
        var blocked: [String: [String]] = [:]
        var last = 0
    }

    let store: any StreamStore
    let bus: EventBus
    let timer: any RunTimer
    /// The outputs of streams that run on other hubs and on workers; `nil` without a cluster.
    let shared: (any SharedOutputs)?
    private let isDurable: Bool
    private let state = Locked(State())
    /// The number of outputs that are read at once.
    private static let page = 256
    /// The most bytes of outputs that are held while a reader takes one after another; a larger one is held alone.
    private static let pageSize = 256 << 10
    /// The number of states that wait for a slow reader; older ones are left out.
    private static let keptStates = 256
    /// The time after which a store that has failed is read again, in nanoseconds.
    static let patience: Int64 = 1_000_000_000

    /// - Parameters:
    ///   - isDurable: A Boolean value that indicates whether outputs are stored.
    ///   - shared: The outputs of streams that run on other hubs and on workers; `nil` without a cluster.
    init(
        store: any StreamStore,
        bus: EventBus,
        timer: any RunTimer,
        isDurable: Bool,
        shared: (any SharedOutputs)? = nil
    ) {
        (self.store, self.bus, self.timer, self.isDurable) = (store, bus, timer, isDurable)
        self.shared = shared
    }

    // MARK: Notes

    /// Notes that outputs of a stream were stored.
    func noteStored(_ stream: String) {
        let notes = state.withLock { state in
            state.readers[stream]?.stored += 1
            return Array((state.readers[stream]?.notes ?? [:]).values)
        }
        for note in notes { note.yield() }
    }

    /// Notes that a document was stored or removed.
    func noteDocument(_ stream: String) {
        let watches = state.withLock { state in
            state.readers[stream]?.changes += 1
            return Array((state.readers[stream]?.watches ?? [:]).values)
        }
        for watch in watches { watch.yield(.document) }
        noteStored(stream)
    }

    /// Notes which streams workers of a cluster run.
    func noteWorked(_ streams: Set<String>) {
        let changed = state.withLock { state in
            defer { state.worked = streams }
            return state.worked.symmetricDifference(streams)
        }
        for stream in changed { noteDocument(stream) }
    }

    /// Notes the status of a run, which the bus has.
    func noteStatus(_ stream: String) {
        noteMove(of: stream)
        state.withLock { state in
            let watches = state.readers[stream]?.watches ?? [:]
            guard !watches.isEmpty || !state.overviews.isEmpty,
                let notice = StateNotice(bus.status(of: stream), blocked: state.blocked[stream] ?? [])
            else { return }
            state.stateCount += 1
            for watch in watches.values { watch.yield(.state(notice, state.stateCount)) }
            for number in state.overviews.keys { state.overviews[number]?.add(notice) }
        }
    }

    /// Wakes the readers of a stream that has begun or ended to run here: it may run elsewhere.
    private func noteMove(of stream: String) {
        guard shared != nil, let next = bus.status(of: stream)?.state else { return }
        let hasMoved = state.withLock { state in
            guard !(state.readers[stream]?.notes ?? [:]).isEmpty else { return false }
            let last = state.runStates.updateValue(next, forKey: stream)
            return last != next && (next == .idle || last == .idle || last == nil)
        }
        if hasMoved { noteStored(stream) }
    }

    /// Notes which sinks of a stream are blocked.
    func noteBlocked(_ sinks: [String], of stream: String) {
        state.withLock { $0.blocked[stream] = sinks.isEmpty ? nil : sinks }
        noteStatus(stream)
    }

    // MARK: Clients

    /// The number of clients that read.
    var clientCount: Int { state.withLock { $0.clients.count } }

    /// Has all clients show that they are there.
    func nudgeClients() {
        for client in state.withLock({ Array($0.clients.values) }) { client.nudge() }
    }

    /// Ends the subscriptions of all clients.
    func endClients() {
        for client in state.withLock({ Array($0.clients.values) }) { client.end() }
    }

    // MARK: Reading

    /// Reads another stream until the task is canceled.
    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        try await serve(try StreamSubscription(arguments), to: inlet)
        try Task.checkCancellation()
    }

    /// Sends what a subscription asks for to a reader, until the task is canceled, or the hub ends for a client.
    ///
    /// - Throws: `StreamError` where outputs are no longer kept, or are not stored; the errors of the reader.
    func serve(_ subscription: StreamSubscription, to reader: some SubscriptionReader) async throws {
        guard let stream = subscription.stream else { return try await watchAll(reader) }
        switch subscription.subject {
        case .states: try await watch(stream, reader)
        case .outputs, .errors:
            guard isDurable else { throw StreamError(message: "this hub doesn't store the outputs of its streams") }
            try await read(stream, subscription, reader)
        }
    }

    /// Sends the outputs of a stream that match, in order.
    private func read(
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
                    // What is stored here comes before what comes from elsewhere.
                    guard let shared, !isEnded.isSet, try await isElsewhere(stream, seen) else { break }
                    // Where the reading fails, it goes on from there.
                    defer { place = last }
                    let reading = SharedSubscription(subscription, to: stream, over: shared, timer: timer)
                    try await reading.read(for: reader, from: &last, isOwn: { try await self.isOwn($0, $1, stream) }) {
                        // The last outputs of a run that was stopped here are stored a little later.
                        if isEnded.isSet || self.state.withLock({ $0.readers[stream]?.stored }) != stored {
                            return false
                        }
                        return try await self.isElsewhere(stream, seen)
                    }
                }
                try await reader.rest()
            } catch let error as StoreError {
                seen = nil
                try await wait(for: error, reader) { note.yield() }
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

    /// Sends the states of a stream.
    private func watch(_ stream: String, _ reader: some SubscriptionReader) async throws {
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
    private func watchAll(_ reader: some SubscriptionReader) async throws {
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

    /// Reports that the store can't be read, and has it tried again later.
    private func wait(
        for error: StoreError,
        _ reader: some SubscriptionReader,
        _ tryAgain: @escaping @Sendable () -> Void
    ) async throws {
        try await reader.report(waiting: "the store can't be read: \(error.reason)")
        _ = timer.schedule(at: timer.now.advanced(byClamping: Self.patience), tryAgain)
    }

    // MARK: Readers

    /// Calls `body` with the notes of a stream: one for the beginning, and one whenever there may be more.
    func following(
        _ stream: String,
        _ body: (_ notes: AsyncStream<Void>, _ note: @escaping @Sendable () -> Void) async throws -> Void
    ) async rethrows {
        let (notes, note) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = add(nil) { $0.readers[stream, default: Readers()].notes[$1] = note }
        defer { remove(number, stream) }
        note.yield()
        try await body(notes) { note.yield() }
    }

    private func add(_ client: Client?, _ change: (inout State, Int) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            change(&state, state.last)
            state.clients[state.last] = client
            return state.last
        }
    }

    private func remove(_ number: Int, _ stream: String?) {
        state.withLock { state in
            state.clients[number] = nil
            state.overviews[number] = nil
            guard let stream else { return }
            state.readers[stream]?.notes[number] = nil
            state.readers[stream]?.watches[number] = nil
            if state.readers[stream]?.notes.isEmpty ?? true { state.runStates[stream] = nil }
            if state.readers[stream]?.isEmpty ?? false { state.readers[stream] = nil }
        }
    }
}
#endif
