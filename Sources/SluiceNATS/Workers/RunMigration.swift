#if NATS
import Foundation
import Sluice
import SluiceJSON
package import SluiceRuns
import SluiceStreams

/// The way of runs from the file of a hub to the workers of a group.
///
/// The state of a run becomes the log of the one unit of a division that is not divided. A worker that takes the unit continues
/// the run; where the document has a `partition`, that is a change of the division, as any other.
package struct RunMigration: Sendable {
    /// The result for one stream.
    package enum Outcome: Sendable, Equatable {
        /// The workers have the run, and the file has it no more.
        case moved
        /// The file has no run, and nothing that is to be delivered.
        case nothing
        /// The run stays in the file.
        case refused(reason: String)
    }

    private let definitions: NATSDefinitionStore
    private let group: String
    private let clock: any Clock<Duration>
    private let layouts: NATSBucket

    /// Opens the logs and divisions of a cluster, which are created where they don't exist.
    ///
    /// - Throws: `StoreError` when workers of the group are at work, or NATS is not available.
    package static func open(
        _ definitions: NATSDefinitionStore,
        group: String,
        replicas: Int = 1,
        clock: any Clock<Duration> = .continuous
    ) async throws -> RunMigration {
        let workers = try await NATSWorkerDirectory(definitions.connection).workers()
        if let worker = workers.first(where: { $0.group == group }) {
            let name = worker.name.isEmpty ? worker.id : worker.name
            throw StoreError(
                .unavailable(
                    reason: "the worker \(name) of the group '\(group)' is at work: end all workers of the group first"
                )
            )
        }
        do {
            let layouts = try await definitions.connection.perform { connection in
                try WorkerSession.createLogs(replicas: replicas, over: connection)
                return try WorkerSession.openLayouts(replicas: replicas, over: connection)
            }
            return RunMigration(definitions: definitions, group: group, clock: clock, layouts: layouts)
        } catch let error as NATSError { throw StoreError(error) }
    }

    /// Gives the run of a stream to the workers, and removes it from the store. A call that was interrupted can be repeated.
    ///
    /// - Parameters:
    ///   - stream: The stream, whose document the hubs share already.
    ///   - store: The store of the hub, which nobody else has open.
    /// - Throws: The errors of both stores.
    package func move(_ stream: String, from store: any SinkStore) async throws -> Outcome {
        guard let document = try await store.read(stream) else { return .nothing }
        let state = try await StreamState(of: stream, in: store)
        if state.run == nil, state.deliveries.values.allSatisfy(\.isEmpty), state.outputs.isEmpty, state.letters.isEmpty
        {
            return .nothing
        }
        guard state.run?.isPaused != true else {
            return .refused(reason: "its run is paused, and no command of a hub reaches workers: resume it first")
        }
        if let run = state.run, run.state == RunState.idle.rawValue || run.state == RunState.failed.rawValue {
            let what = run.state == RunState.idle.rawValue ? "was stopped" : "has failed"
            return .refused(reason: "its run \(what), and workers would go on with it: start it in the hub first")
        }
        let text = try StreamDocument(preserving: Array(document.text.utf8))
        if let error = text.missingSources(in: StreamHost()).first { return .refused(reason: error.message) }
        do {
            let number = try await WorkerSession.origin(of: stream, in: definitions)
            guard try await write(state, of: stream, number, document) else {
                return .refused(reason: "workers of the group '\(group)' have run it already, with another run")
            }
        } catch let error as NATSError { throw StoreError(error) }
        // From here on the workers have it.
        // The run goes last: it says, where this is interrupted, that it is the one that they have.
        for letter in state.letters { try await store.removeDeadLetter(letter.number, of: stream) }
        for sink in state.sinks { try await store.removeSink(sink.id, of: stream) }
        try await store.forgetRun(of: stream)
        return .moved
    }

    /// Writes the log and the division.
    ///
    /// - Returns: A Boolean value that indicates whether the log has this run.
    private func write(_ state: StreamState, of stream: String, _ number: Int, _ document: StoredStream) async throws
        -> Bool
    {
        let connection = definitions.connection
        let key = try WorkerSession.layoutKey(group, stream)
        let entry = try await connection.perform { [layouts] _ in try layouts.value(of: key) }
        let known = WorkerSession.layout(of: entry)
        let subject = try WorkUnit(stream, number, 0).subject(in: group)
        let (log, records) = try await PartitionLog.takeOver(subject, by: "migrate", over: connection, clock: clock)
        do {
            let states = try records.filter { $0.kind == .state }.map {
                try SluiceJSONDecoder().decode(PartitionState.self, from: $0.bytes).stream
            }
            if let last = states.last {
                await log.release()
                guard state.isOfSameRun(as: last) else { return false }
            } else {
                guard known == nil, records.allSatisfy({ $0.kind == .owner || $0.kind == .released }) else {
                    await log.release()
                    return false
                }
                let bytes = try SluiceJSONEncoder().bytes(PartitionState(state, handed: nil))
                try await log.append(.state, bytes) { true }
                await log.release()
            }
        } catch {
            await log.release()
            throw error
        }
        if known == nil {
            let layout = PartitionLayout(migrating: number)
            let bytes = try SluiceJSONEncoder().bytes(layout)
            do {
                try await connection.perform { [layouts] _ in
                    if let revision = entry?.revision {
                        try layouts.update(bytes, for: key, ifRevision: revision)
                    } else {
                        try layouts.create(bytes, for: key)
                    }
                }
            } catch NATSError.stale { return false }
        }
        return true
    }
}
#endif
