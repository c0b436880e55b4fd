package import Foundation
package import SluiceFilters
import SluiceJSON
package import SluiceStreams

/// The deliveries of all sinks of a process: one actor, and no task for a sink that has nothing to deliver.
///
/// A run hands over its sinks when it begins, resumes, and is edited (``use(_:of:after:)``), its outputs
/// (``publish(_:size:of:)``), and the news that they are stored (``noteStored(_:)``). Only what is stored is delivered. A
/// stream waits while its sinks are not stored, and while too much waits for them (``hasRoom(for:)``).
package actor Deliveries {
    /// The sinks of one stream.
    struct Stream {
        var sinks: [String: SinkWork] = [:]
        /// The ids in the order of the document.
        var order: [String] = []
        /// The names of its runs.
        var names: [Int: String] = [:]
        var letters = Letters()
    }

    /// The dead letters of one stream.
    struct Letters {
        /// Their number, those that are not stored yet included. Letters that were removed since may be counted.
        var count = 0
        /// A Boolean value that indicates whether letters were removed since they were counted.
        var isStale = false
        /// The numbers of the letters of which another request is being made.
        var rendered: Set<Int> = []
        /// The numbers of the letters that are being sent again.
        var sent: Set<Int> = []
        /// A Boolean value that indicates whether the store is searched for letters to send again.
        var isSearching = false
        /// A Boolean value that indicates whether another search was asked for meanwhile.
        var isCalled = false
    }

    /// The sinks that a stream is to have.
    private struct Wanted {
        let sinks: [CompiledSink]
        let place: OutputPlace
        let generation: Int
        let keepsOthers: Bool
    }

    nonisolated let ledger = OutputLedger()
    let store: any SinkStore
    let host: StreamHost
    let timer: any RunTimer
    /// The clock of the filters around attempts.
    private let clock: any Clock<Duration>
    let wallClock: @Sendable () -> Date
    let random: RandomSource
    let log: @Sendable (String) -> Void
    let perform: TaskStarter
    let renderer: SinkRenderer
    /// The call that is made when other sinks of a stream may be blocked than before.
    private let onBlocked: @Sendable (_ sinks: [String], _ stream: String) -> Void
    var onFailure: (@Sendable (_ stream: String, _ error: String) async -> Void)?
    var streams: [String: Stream] = [:]
    private var wanted: [String: Wanted] = [:]
    private var applying: Set<String> = []
    var flights: [Int: Task<Void, Never>] = [:]
    var lastFlight = 0
    var isClosed = false

    /// The time after which a store that has failed is tried again, in nanoseconds.
    static let patience: Int64 = 1_000_000_000

    /// Creates the deliveries of a process.
    ///
    /// - Parameters:
    ///   - store: the store of the outputs, and of what was delivered.
    ///   - host: the receivers.
    ///   - timer: the clock of waits.
    ///   - clock: the clock of the filters around attempts.
    ///   - wallClock: the time of day, for dead letters.
    ///   - random: the source of jitter.
    ///   - log: logs an error.
    ///   - perform: begins tasks that nobody waits for.
    ///   - onTurn: is called when a turn of a stream's expressions begins.
    ///   - onBlocked: is called with the ids of the sinks of a stream that are blocked, when that may have changed.
    package init(
        store: any SinkStore,
        host: StreamHost,
        timer: any RunTimer,
        clock: any Clock<Duration> = .continuous,
        wallClock: @escaping @Sendable () -> Date = { Date() },
        random: RandomSource = .system,
        log: @escaping @Sendable (String) -> Void = { _ in },
        perform: TaskStarter = TaskStarter(),
        onTurn: (@Sendable (_ stream: String) async -> Void)? = nil,
        onBlocked: @escaping @Sendable (_ sinks: [String], _ stream: String) -> Void = { _, _ in }
    ) {
        renderer = SinkRenderer(onTurn: onTurn)
        (self.store, self.host, self.timer, self.clock, self.wallClock) = (store, host, timer, clock, wallClock)
        (self.random, self.log, self.perform, self.onBlocked) = (random, log, perform, onBlocked)
    }

    /// Sets the call for a delivery that fails its run.
    package func onFailure(_ body: @escaping @Sendable (_ stream: String, _ error: String) async -> Void) {
        onFailure = body
    }

    /// Ends all deliveries. What is in flight is canceled, and repeated by the next process.
    ///
    /// - Parameter isStored: A Boolean value that indicates whether acknowledgments that are not stored yet are stored.
    package func close(isStored: Bool = true) async {
        isClosed = true
        for flight in flights.values { flight.cancel() }
        guard isStored else {
            for work in streams.values.flatMap(\.sinks.values) { work.close() }
            return
        }
        for (id, stream) in streams {
            for work in stream.sinks.values {
                work.alarm?.cancel()
                await flush(work, id)
            }
        }
    }

    // MARK: Runs

    /// Takes the sinks of a stream, which begin with the output after `place` unless they are known or say otherwise. The
    /// run of the stream waits until they are stored.
    ///
    /// - Parameter keepsOthers: A Boolean value that indicates whether the stream keeps its other sinks, with their
    ///   cursors: an edit that has them follows.
    package nonisolated func use(
        _ sinks: [CompiledSink],
        of stream: String,
        after place: OutputPlace,
        keepsOthers: Bool = false
    ) {
        guard let generation = ledger.hold(stream, hasSinks: !sinks.isEmpty) else { return }
        let wanted = Wanted(sinks: sinks, place: place, generation: generation, keepsOthers: keepsOthers)
        perform { await self.take(wanted, stream) }
    }

    /// Returns a Boolean value that indicates whether a stream has sinks, so that its outputs are to be published.
    package nonisolated func takesOutputs(of stream: String) -> Bool { ledger.contains(stream) }

    /// Returns a Boolean value that indicates whether a run may put out more.
    package nonisolated func hasRoom(for stream: String) -> Bool { ledger.hasRoom(stream) }

    /// Sets the call that is made when there is room again.
    package nonisolated func onRoom(of stream: String, _ body: (@Sendable () -> Void)?) {
        ledger.onRoom(of: stream, body)
    }

    /// Notes an output of a run.
    package nonisolated func publish(_ place: OutputPlace, size: Int, of stream: String) {
        ledger.append(place, size: size, of: stream)
    }

    /// Notes that outputs of a stream were stored.
    package nonisolated func noteStored(_ stream: String) {
        if ledger.wake(stream) { perform { await self.wake(stream) } }
    }

    /// Forgets the outputs of a stream up to a run, which were removed.
    package nonisolated func forgetOutputs(of stream: String, upTo run: Int) {
        perform { await self.forget(stream, upTo: run) }
    }

    /// Returns a Boolean value that indicates whether a stream has sinks.
    package func hasSinks(_ stream: String) -> Bool { streams[stream] != nil }

    /// Ends the deliveries of a stream that was removed.
    package func remove(_ stream: String) {
        wanted[stream] = nil
        ledger.remove(stream)
        closeSinks(of: stream)
    }

    private func closeSinks(of stream: String) {
        for work in (streams.removeValue(forKey: stream)?.sinks ?? [:]).values { work.close() }
        onBlocked([], stream)
    }

    /// Tells which sinks of a stream are blocked.
    func tellBlocked(_ stream: String) {
        guard let entry = streams[stream] else { return }
        for work in entry.sinks.values { work.isKnownBlocked = work.outbox.isBlocked }
        onBlocked(entry.order.filter { entry.sinks[$0]?.isKnownBlocked ?? false }, stream)
    }

    /// Removes the sinks that the store has of a stream without sinks: they would keep its outputs forever.
    package func removeStored(of stream: String) async throws {
        for sink in try await store.sinks(of: stream) where streams[stream] == nil && !ledger.contains(stream) {
            try await store.removeSink(sink.id, of: stream)
        }
    }

    private func forget(_ stream: String, upTo run: Int) {
        for work in streams[stream]?.sinks.values ?? [:].values { work.forget(upTo: run) }
        streams[stream]?.names = [:]
        ledger.drop(upTo: OutputPlace(run: run + 1, sequence: 0), of: stream)
        // The outputs of a run that was begun meanwhile are read again.
        wake(stream)
    }

    // MARK: Sinks

    private func take(_ next: Wanted, _ stream: String) async {
        guard !isClosed else { return }
        if let other = wanted[stream], other.generation > next.generation { return }
        wanted[stream] = next
        guard applying.insert(stream).inserted else { return }
        while let next = wanted.removeValue(forKey: stream), !isClosed {
            guard ledger.isCurrent(stream, next.generation) else { continue }
            do { try await apply(next, stream) } catch let error as StoreError where error.isMissing {
                // A stream that was created again meanwhile has sinks of its own.
                closeSinks(of: stream)
                ledger.remove(stream, at: next.generation)
            } catch {
                log("\(stream): the sinks can't be stored: \(error)")
                if wanted[stream] == nil { takeLater(next, stream) }
            }
        }
        applying.remove(stream)
    }

    private func takeLater(_ next: Wanted, _ stream: String) {
        _ = timer.schedule(at: timer.now.advanced(byClamping: Self.patience)) { [weak self] in
            guard let self else { return }
            perform { await self.take(next, stream) }
        }
    }

    /// Puts sinks in the place of those that a stream has.
    private func apply(_ next: Wanted, _ id: String) async throws {
        let stored = try await store.sinks(of: id)
        let ids = Set(next.sinks.map(\.id))
        var stream = streams[id] ?? Stream()
        if !next.keepsOthers {
            var closed: [SinkWork] = []
            // A later acknowledgment would store the removed sink again.
            for (key, work) in stream.sinks where !ids.contains(key) {
                work.close()
                stream.sinks[key] = nil
                closed.append(work)
            }
            for work in closed { await work.awaitStoring() }
            for sink in stored where !ids.contains(sink.id) { try await store.removeSink(sink.id, of: id) }
        }
        let others = stream.order.filter { stream.sinks[$0] != nil && !ids.contains($0) }
        stream.order = next.sinks.map(\.id) + others
        for sink in next.sinks {
            // A sink that was closed by an edit that could not be stored is read from the store again.
            if let work = stream.sinks[sink.id], !work.isClosed {
                work.edit(sink)
            } else if let known = stored.first(where: { $0.id == sink.id }) {
                let deliveries = try await store.deliveries(of: id, sink: sink.id)
                let outbox = Outbox(known, deliveries, rules: sink.rules)
                stream.sinks[sink.id] = SinkWork(sink, outbox, isEditExpected: next.keepsOthers, clock: clock)
            } else {
                let new = StoredSink(
                    stream: id,
                    id: sink.id,
                    cursor: sink.rules.start.place(now: next.place),
                    fingerprint: SinkWork.fingerprint(of: sink)
                )
                try await store.commit([SinkCommit(sink: new)])
                stream.sinks[sink.id] = SinkWork(sink, Outbox(new, rules: sink.rules), clock: clock)
            }
        }
        // A newer change is kept.
        (stream.letters, stream.names) = (streams[id]?.letters ?? Letters(), streams[id]?.names ?? [:])
        streams[id] = stream
        // It was removed meanwhile.
        guard ledger.contains(id) else { return closeSinks(of: id) }
        guard ledger.isCurrent(id, next.generation) else { return }
        guard !stream.sinks.isEmpty else {
            if ledger.remove(id, at: next.generation) { closeSinks(of: id) }
            return
        }
        tellBlocked(id)
        try await recountLetters(of: id)
        let cursor = stream.sinks.values.map(\.outbox.cursor).min() ?? next.place
        ledger.open(id, try await waiting(id, after: cursor), after: cursor, at: next.generation)
        wake(id)
        sendLetters(of: id)
    }

    /// Returns the places and sizes of the outputs after a place.
    private func waiting(_ stream: String, after cursor: OutputPlace) async throws -> [(OutputPlace, Int)] {
        var (found, place): ([(OutputPlace, Int)], OutputPlace) = ([], cursor)
        while found.count < 2 * OutputLedger.largestCount {
            let outputs = try await store.outputs(
                of: stream,
                afterRun: place.run,
                sequence: place.sequence,
                limit: 1000
            )
            guard let last = outputs.last else { break }
            found += outputs.map { ($0.place, $0.text.utf8.count) }
            place = last.place
        }
        return found
    }

    func wake(_ stream: String) {
        ledger.noteAwake(stream)
        for work in streams[stream]?.sinks.values ?? [:].values {
            work.mayHaveMore = true
            pumpSoon(work, stream)
        }
    }
}

extension StoreError {
    /// A Boolean value that indicates whether the stream is gone.
    var isMissing: Bool { if case .missing = kind { true } else { false } }
}

extension SinkRules.Start {
    /// Returns the place where a new reader of the outputs begins.
    package func place(now: OutputPlace) -> OutputPlace {
        switch self {
        case .now: now
        case .start: .start
        case .after(let run, let sequence): OutputPlace(run: run, sequence: sequence)
        }
    }
}
