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
    struct Readers {
        var notes: [Int: AsyncStream<Void>.Continuation] = [:]
        var watches: [Int: AsyncStream<Note>.Continuation] = [:]
        /// The number of times that the document was stored or removed.
        var changes = 0
        /// The number of times that outputs were stored.
        var stored = 0

        var isEmpty: Bool { notes.isEmpty && watches.isEmpty }
    }

    /// A note for a reader of states.
    enum Note: Sendable {
        /// A state, with its number.
        case state(StateNotice, Int)
        /// The document was stored or removed, or the reader begins.
        case document
        /// The reader, a client, is to show that it is there.
        case nudge
    }

    /// A reader of the states of all streams: of each, the newest state waits for it.
    struct Overview {
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
    struct Client {
        /// Has it write something, so that a connection that is gone is noticed.
        let nudge: @Sendable () -> Void
        let end: @Sendable () -> Void
    }

    struct State {
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
    let state = Locked(State())
    /// The number of outputs that are read at once.
    static let page = 256
    /// The most bytes of outputs that are held while a reader takes one after another; a larger one is held alone.
    static let pageSize = 256 << 10
    /// The number of states that wait for a slow reader; older ones are left out.
    static let keptStates = 256
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

    /// Reports that the store, or the cluster, can't be read, and has it tried again later.
    func wait(
        for error: StoreError,
        of source: String = "the store",
        _ reader: some SubscriptionReader,
        _ tryAgain: @escaping @Sendable () -> Void
    ) async throws {
        try await reader.report(waiting: "\(source) can't be read: \(error.reason)")
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

    func add(_ client: Client?, _ change: (inout State, Int) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            change(&state, state.last)
            state.clients[state.last] = client
            return state.last
        }
    }

    func remove(_ number: Int, _ stream: String?) {
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
