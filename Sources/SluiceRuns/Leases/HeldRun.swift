import Sluice
import SluiceStreams

/// A stream that this process runs while it holds the stream's lease: the run, and the deliveries of its sinks.
///
/// A member of a group has one for each stream that the hub has leased to it, on the hub's store; a worker of a cluster, one for
/// each partition.
package actor HeldRun {
    /// The id of the stream.
    package nonisolated let stream: String
    /// The store of the run.
    package nonisolated let store: any SinkStore
    /// The deliveries of its sinks.
    package nonisolated let deliveries: Deliveries
    private let environment: RunEnvironment
    /// Returns the program of a stored run.
    private let program: @Sendable (StoredRun) async throws -> RunProgram
    /// The supervisor; `nil` before the run was opened, and where the document can't run.
    package private(set) var run: RunSupervisor?
    private var isClosed = false
    /// The lock of ``take(_:)``: programs are taken one after the other.
    private let taking = AsyncLock()

    /// Creates a run that is not opened yet.
    ///
    /// - Parameters:
    ///   - stream: The id of the stream.
    ///   - store: The store of the run, which the lease guards.
    ///   - deliveries: The deliveries of its sinks, from the same store.
    ///   - environment: The surroundings of the run, with the same store.
    ///   - program: A closure that returns the program of a stored run.
    package init(
        _ stream: String,
        store: any SinkStore,
        deliveries: Deliveries,
        environment: RunEnvironment,
        resuming program: @escaping @Sendable (StoredRun) async throws -> RunProgram
    ) {
        (self.stream, self.store, self.deliveries) = (stream, store, deliveries)
        (self.environment, self.program) = (environment, program)
    }

    /// Has the stream run by a program. The first call resumes the run where the last holder of the lease has left it, or
    /// begins one. A program of an earlier revision than the stored one has no effect: the process has not seen the newest
    /// document yet.
    ///
    /// - Parameter isLast: A Boolean value that indicates whether no run follows one that has completed.
    /// - Throws: `JSONErrors` for a document that can't run; the error of the store.
    package func take(_ next: RunProgram, isLast: Bool = false) async throws {
        await taking.lock()
        defer { taking.unlock() }
        if let run { try await run.take(next, isLast: isLast) } else { try await open(next, isLast: isLast) }
    }

    private func open(_ next: RunProgram, isLast: Bool) async throws {
        if isClosed { return }
        let last = try await store.lastRun(of: stream)
        guard let stored = try await store.run(of: stream) else {
            let run = RunSupervisor(stream, next, environment, after: last)
            if await keep(run) { try await run.take(next) }
            return
        }
        let resumed = try await program(stored)
        let run = RunSupervisor(stream, resumed, environment)
        guard await keep(run) else { return }
        let hasCompleted = stored.state == RunState.completed.rawValue
        let isOlder = next.revision < resumed.revision
        let isCurrent = resumed.versions == next.versions || isOlder || isLast && hasCompleted
        if hasCompleted {
            await run.recall(stored)
            // What it has put out is delivered nevertheless.
            if isCurrent { try deliverRest(of: stored, resumed) }
        } else {
            let journal = try await store.journal(of: stream)
            try await run.resume(stored, journal: journal, isEditExpected: !isCurrent)
        }
        // It may have completed with what it has read already.
        if !isCurrent { try await run.take(next, isLast: isLast) }
    }

    private func deliverRest(of stored: StoredRun, _ next: RunProgram) throws {
        let compiled = try CompiledDocument(next.document, in: next.library)
        let place = OutputPlace(run: stored.run, sequence: stored.outputs)
        deliveries.use(compiled.sinks, of: stream, after: place)
    }

    /// Makes a supervisor that of the stream, unless the lease has ended meanwhile.
    private func keep(_ next: RunSupervisor) async -> Bool {
        if isClosed {
            await next.shutDown(isRemoved: true)
            return false
        }
        run = next
        await deliveries.onFailure { [weak next] _, error in await next?.fail(error) }
        return true
    }

    /// Ends the run in this process, and with it the deliveries.
    ///
    /// - Parameter isLost: A Boolean value that indicates whether the lease is over, so that nothing more can be stored. If
    ///   not, what the run has done is stored first, and then what its sinks have delivered, also in a task that is canceled.
    /// - Parameter isCheckpointed: A Boolean value that indicates whether the run is stored as a checkpoint in any case.
    package func close(isLost: Bool, isCheckpointed: Bool = false) async {
        if isClosed { return }
        isClosed = true
        if isLost { await deliveries.close(isStored: false) }
        await Task {
            await run?.shutDown(isRemoved: isLost, isCheckpointed: isCheckpointed)
            if !isLost { await deliveries.close() }
        }.value
    }
}
