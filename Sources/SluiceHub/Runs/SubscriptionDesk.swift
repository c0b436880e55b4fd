#if Hub
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The subscriptions of running streams to the outputs, errors, and states of others: the body of the source `subscribe`.
///
/// A reader reads the store at its own pace, and waits for a note while there is nothing more. A note that comes while it
/// reads is kept, so that it reads once more.
final class SubscriptionDesk: Sendable {
    /// The readers of one stream.
    private struct Readers {
        var notes: [Int: AsyncStream<Void>.Continuation] = [:]
        var watches: [Int: AsyncStream<Note>.Continuation] = [:]
        /// The number of times that the document was stored or removed.
        var changes = 0

        var isEmpty: Bool { notes.isEmpty && watches.isEmpty }
    }

    /// A note for a reader of states.
    private enum Note: Sendable {
        /// A state, with its number.
        case state(StateNotice, Int)
        /// The document was stored or removed, or the reader begins.
        case document
    }

    private struct State {
        var readers: [String: Readers] = [:]
        /// The number of states so far.
        var stateCount = 0
        /// The sinks that are blocked, by stream.
        var blocked: [String: [String]] = [:]
        var last = 0
    }

    private let store: any StreamStore
    private let bus: EventBus
    private let timer: any RunTimer
    private let isDurable: Bool
    private let state = Locked(State())
    /// The number of outputs that are read at once.
    private static let page = 256
    /// The number of states that wait for a slow reader; older ones are left out.
    private static let keptStates = 256
    /// The time after which a store that has failed is read again, in nanoseconds.
    private static let patience: Int64 = 1_000_000_000

    /// - Parameter isDurable: A Boolean value that indicates whether outputs are stored.
    init(store: any StreamStore, bus: EventBus, timer: any RunTimer, isDurable: Bool) {
        (self.store, self.bus, self.timer, self.isDurable) = (store, bus, timer, isDurable)
    }

    // MARK: Notes

    /// Notes that outputs of a stream were stored.
    func noteStored(_ stream: String) {
        for note in state.withLock({ Array(($0.readers[stream]?.notes ?? [:]).values) }) { note.yield() }
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

    /// Notes the status of a run, which the bus has.
    func noteStatus(_ stream: String) {
        state.withLock { state in
            guard let watches = state.readers[stream]?.watches, !watches.isEmpty,
                let notice = StateNotice(bus.status(of: stream), blocked: state.blocked[stream] ?? [])
            else { return }
            state.stateCount += 1
            for watch in watches.values { watch.yield(.state(notice, state.stateCount)) }
        }
    }

    /// Notes which sinks of a stream are blocked.
    func noteBlocked(_ sinks: [String], of stream: String) {
        state.withLock { $0.blocked[stream] = sinks.isEmpty ? nil : sinks }
        noteStatus(stream)
    }

    // MARK: Reading

    /// Reads another stream until the task is canceled.
    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let subscription = try StreamSubscription(arguments)
        switch subscription.subject {
        case .states: try await watch(subscription.stream, inlet)
        case .outputs, .errors:
            guard isDurable else { throw StreamError(message: "this hub doesn't store the outputs of its streams") }
            try await read(subscription, inlet)
        }
        try Task.checkCancellation()
    }

    /// Sends the outputs of a stream that match, in order.
    private func read(_ subscription: StreamSubscription, _ inlet: StreamInlet<JSON>) async throws {
        let stream = subscription.stream
        let (notes, note) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = add({ $0.notes[$1] = note }, to: stream)
        defer { remove(number, stream) }
        var place = inlet.position.flatMap(OutputPlace.init)
        var seen: Int?
        var next = notes.makeAsyncIterator()
        repeat {
            do {
                let changes = state.withLock { $0.readers[stream]?.changes ?? 0 }
                if seen != changes {
                    let exists = try await store.read(stream) != nil
                    inlet.report(waiting: exists ? nil : "there is no stream with the id '\(stream)'")
                    seen = changes
                    if !exists { continue }
                }
                let begin: OutputPlace
                if let place {
                    begin = place
                } else {
                    begin = try await self.begin(subscription)
                    try await inlet.mark(at: "\(begin)")
                }
                place = try await send(after: begin, subscription, inlet)
            } catch let error as StoreError {
                seen = nil
                wait(for: error, inlet) { note.yield() }
            }
        } while await next.next() != nil
    }

    /// Returns the place where a new subscription begins.
    private func begin(_ subscription: StreamSubscription) async throws -> OutputPlace {
        guard subscription.start == .now else { return subscription.start.place(now: .start) }
        if let run = try await store.run(of: subscription.stream) {
            return OutputPlace(run: run.run, sequence: run.outputs)
        }
        return OutputPlace(run: try await store.lastRun(of: subscription.stream), sequence: 0)
    }

    /// Sends the outputs after a place, and returns the place of the last one that is stored.
    private func send(
        after begin: OutputPlace,
        _ subscription: StreamSubscription,
        _ inlet: StreamInlet<JSON>
    ) async throws -> OutputPlace {
        var place = begin
        while true {
            let outputs = try await store.outputs(
                of: subscription.stream,
                afterRun: place.run,
                sequence: place.sequence,
                limit: Self.page
            )
            guard let first = outputs.first else { return place }
            // Reading everything that is kept begins wherever that begins.
            let isAnywhere = subscription.start == .start && place == .start
            if subscription.missing == .fail, !isAnywhere { try refuseGap(from: place, to: first.place) }
            for output in outputs {
                place = output.place
                if let item = output.item(of: subscription.subject) {
                    try await inlet.send(item, at: "\(place)")
                } else {
                    try await inlet.mark(at: "\(place)")
                }
            }
        }
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
    private func watch(_ stream: String, _ inlet: StreamInlet<JSON>) async throws {
        let (notes, note) = AsyncStream<Note>.makeStream(bufferingPolicy: .bufferingNewest(Self.keptStates))
        let number = add({ $0.watches[$1] = note }, to: stream)
        defer { remove(number, stream) }
        note.yield(.document)
        var (last, shown) = (inlet.position, 0)
        for await next in notes {
            let notice: StateNotice
            switch next {
            // A later state was sent while this one waited.
            case .state(_, let number) where number <= shown: continue
            case .state(let state, _): notice = state
            case .document:
                do {
                    guard let present = try await present(stream, inlet) else { continue }
                    (notice, shown) = present
                } catch let error as StoreError {
                    wait(for: error, inlet) { note.yield(.document) }
                    continue
                }
            }
            let text = notice.json.text()
            if text != last { try await inlet.send(notice.json, at: text) }
            last = text
        }
    }

    /// Returns the present state of a stream, and the number of the last note that it covers; reports a stream that doesn't
    /// exist.
    private func present(_ stream: String, _ inlet: StreamInlet<JSON>) async throws -> (StateNotice, Int)? {
        guard try await store.read(stream) != nil else {
            inlet.report(waiting: "there is no stream with the id '\(stream)'")
            return nil
        }
        let run = try await store.run(of: stream)
        inlet.report(waiting: nil)
        return state.withLock { state in
            let stored = StateNotice(
                stream: stream,
                run: run?.run ?? 0,
                state: run?.state ?? "idle",
                reason: run?.error
            )
            let known = StateNotice(bus.status(of: stream), blocked: state.blocked[stream] ?? [])
            return (known ?? stored, state.stateCount)
        }
    }

    /// Reports that the store can't be read, and has it tried again later.
    private func wait(for error: StoreError, _ inlet: StreamInlet<JSON>, _ tryAgain: @escaping @Sendable () -> Void) {
        inlet.report(waiting: "the store can't be read: \(error.reason)")
        _ = timer.schedule(at: timer.now.advanced(byClamping: Self.patience), tryAgain)
    }

    // MARK: Readers

    private func add(_ change: (inout Readers, Int) -> Void, to stream: String) -> Int {
        state.withLock { state in
            state.last += 1
            change(&state.readers[stream, default: Readers()], state.last)
            return state.last
        }
    }

    private func remove(_ number: Int, _ stream: String) {
        state.withLock { state in
            state.readers[stream]?.notes[number] = nil
            state.readers[stream]?.watches[number] = nil
            if state.readers[stream]?.isEmpty ?? false { state.readers[stream] = nil }
        }
    }
}

extension StoredOutput {
    /// Returns the item that subscribers of a subject get; `nil` if they get none.
    fileprivate func item(of subject: StreamSubscription.Subject) -> JSON? {
        switch (subject, kind) {
        case (.outputs, .value): (try? JSON(parsing: text)) ?? .string(text)
        case (.errors, .reported), (.errors, .failed):
            [
                "kind": .string(kind.rawValue), "error": .string(text), "run": .int(Int64(run)),
                "sequence": .int(Int64(sequence)),
            ]
        default: nil
        }
    }
}
#endif
