import Foundation
import Sluice
import SluiceFilters
public import SluiceJSON
public import SluiceStreams

/// The deliveries of a stream that a program runs by itself, in memory, for as long as the program runs.
///
/// ```swift
/// var host = StreamHost()
/// host.registerSink("desk") { delivery in print(delivery.request["value"] ?? .null) }  // 1, then 2
/// let text = #"{"source": {"values": [1, 2]}, "sinks": [{"id": "out", "outside": {"name": "desk", "value": "x"}}]}"#
/// let document = try StreamDocument(parsing: text)
/// let deliveries = try LocalDeliveries(of: document, host: host)
/// for try await event in try document.flow().events(host: host) { try await deliveries.publish(event) }
/// let count = try await deliveries.finish().map(\.delivered)  // [2]
/// ```
///
/// Hubs, followers of groups, and workers keep what was delivered in a store, and continue there after a crash. Here, a program
/// that is killed leaves undelivered what its sinks have not acknowledged.
public final class LocalDeliveries: Sendable {
    /// A sink at the end.
    public struct Summary: Sendable, Hashable {
        /// The id of the sink.
        public let sink: String
        /// The number of outputs that were delivered.
        public let delivered: Int
        /// The number of outputs that were given up (`"onFailure": "skip"`).
        public let failed: Int
    }

    /// The error of outputs that can't be delivered.
    public struct BlockedError: Error, Hashable, CustomStringConvertible {
        /// The id of the sink.
        public let sink: String
        /// The number of outputs that wait for it.
        public let waiting: Int
        /// The answer of the receiver, or the reason.
        public let reason: String

        /// A text that says what is wrong.
        public var description: String { "the sink \(sink) is blocked, and \(waiting) outputs wait for it: \(reason)" }
    }

    private let stream: String
    private let store = MemoryStreamStore()
    private let deliveries: Deliveries
    private let clock: any Clock<Duration>
    private let document: StoredStream
    private let sinks: [CompiledSink]
    /// The number of the last output.
    private let last = Locked(0)
    private let failure = Failure()

    /// The error of a sink that fails its stream; `nil` without one.
    private final class Failure: Sendable {
        private let error = Locked<StreamError?>(nil)

        func note(_ message: String) { error.withLock { $0 = $0 ?? StreamError(message: message) } }
        func check() throws { if let error = error.withLock({ $0 }) { throw error } }
    }

    /// A Boolean value that indicates whether the document has a sink.
    public var hasSinks: Bool { !sinks.isEmpty }

    /// The number of outputs after which those that are delivered are forgotten.
    private static let trimming = 4096

    /// Creates the deliveries of a document's sinks.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - library: The documents that it refers to.
    ///   - host: The receivers.
    ///   - clock: The clock of pauses.
    ///   - log: A closure that takes problems of the deliveries, for people, on any thread.
    /// - Throws: `JSONErrors` for a document that doesn't compile.
    public init(
        of document: StreamDocument,
        in library: StreamLibrary = StreamLibrary(),
        host: StreamHost,
        clock: any Clock<Duration> = .continuous,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let compiled = try CompiledDocument(document, in: library)
        stream = document.id ?? "stream"
        sinks = compiled.sinks
        self.clock = clock
        self.document = StoredStream(id: stream, revision: 1, name: document.name, text: "{}")
        deliveries = Deliveries(
            store: store,
            host: host,
            timer: CallRunTimer(.of(clock)),
            clock: clock,
            log: log
        )
    }

    deinit {
        let deliveries = deliveries
        Task { await deliveries.close(isStored: false) }
    }

    /// Takes an event of the stream, whose value the sinks deliver; waits while too much waits for them.
    ///
    /// Events are published one after the other. A call that is canceled while it waits has published nothing.
    ///
    /// - Throws: ``BlockedError`` when it would have to wait for a sink that is blocked; `StreamError` of a sink that fails its
    ///   stream; `CancellationError`.
    public func publish(_ event: StreamEvent<JSON>) async throws {
        if sinks.isEmpty { return }
        if last.withLock({ $0 }) == 0 { try await begin() }
        while !deliveries.hasRoom(for: stream) {
            try await checkSinks()
            try await clock.sleep(for: .milliseconds(5))
        }
        try failure.check()
        let number = last.withLock {
            $0 += 1
            return $0
        }
        let output = StoredOutput(event, run: 1, sequence: number)
        try await store.commit(commit(isNewRun: false, [output]))
        deliveries.publish(output.place, size: output.text.utf8.count, of: stream)
        deliveries.noteStored(stream)
        if number.isMultiple(of: Self.trimming) { try await store.trim(Retention(outputs: 1)) }
    }

    /// Waits until the sinks have all outputs, and ends.
    ///
    /// - Returns: The sinks in the order of the document.
    /// - Throws: ``BlockedError`` for outputs that wait for a sink that is blocked; `StreamError` of a sink that fails its stream;
    ///   `CancellationError`. What was not delivered is lost in each case.
    @discardableResult
    public func finish() async throws -> [Summary] {
        if last.withLock({ $0 }) > 0 {
            while try await checkSinks() { try await clock.sleep(for: .milliseconds(10)) }
        }
        let statuses = try await deliveries.status(of: stream)
        await deliveries.close()
        return statuses.map { Summary(sink: $0.id, delivered: $0.delivered, failed: $0.failed) }
    }

    private func begin() async throws {
        try await store.create([StreamDraft(id: stream, name: document.name, text: document.text)], by: nil)
        try await store.commit(commit(isNewRun: true, []))
        await deliveries.onFailure { [failure] _, error in failure.note(error) }
        deliveries.use(sinks, of: stream, after: OutputPlace(run: 1, sequence: 0))
    }

    private func commit(isNewRun: Bool, _ outputs: [StoredOutput]) -> RunCommit {
        RunCommit(
            stream: stream,
            run: 1,
            isNewRun: isNewRun,
            revision: 1,
            state: RunState.running.rawValue,
            savedAt: Date(),
            checkpoint: isNewRun ? "{}" : nil,
            outputs: outputs
        )
    }

    /// Looks at the sinks.
    ///
    /// - Returns: A Boolean value that indicates whether outputs wait.
    @discardableResult
    private func checkSinks() async throws -> Bool {
        try failure.check()
        let statuses = try await deliveries.status(of: stream)
        // Sinks that are not stored yet are not known yet.
        guard !statuses.isEmpty else { return true }
        let open = statuses.filter { $0.state != "disabled" && ($0.waiting > 0 || $0.state != "idle") }
        // One that is blocked holds the others up only when nothing else goes on.
        if let blocked = open.first(where: { $0.state == "blocked" }), open.allSatisfy({ $0.state == "blocked" }) {
            await deliveries.close()
            throw BlockedError(
                sink: blocked.id,
                waiting: blocked.waiting,
                reason: blocked.error ?? "it waits for a command"
            )
        }
        return !open.isEmpty
    }
}
