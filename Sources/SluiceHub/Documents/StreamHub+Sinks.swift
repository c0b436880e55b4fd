#if Hub
import Foundation
import HTTPTypes
import Logging
import SluiceJSON
import SluiceRuns
import SluiceStreams

extension StreamHub {
    /// Continues the deliveries of streams that don't run: what they have put out is delivered nevertheless.
    func resumeSinks() async {
        guard let deliveries = around.deliveries, let store = store as? any SinkStore else { return }
        do {
            var open = Set(try await store.sinks().map(\.stream)).filter { set[$0] != nil && !isLeased($0) }
            for id in open {
                let isOpen = await deliveries.hasSinks(id)
                if isOpen { open.remove(id) }
            }
            guard !open.isEmpty else { return }
            let change = try await checked([], open.sorted(), keeping: open)
            for id in open {
                let isEmpty = change.checks[id]?.compiled?.sinks.isEmpty ?? false
                if isEmpty { try await deliveries.removeStored(of: id) }
            }
            await editSinks(of: open, change)
        } catch is CancellationError {
            // The hub ends.
        } catch {
            around.settings.logger.error("the sinks can't be resumed: \(error)")
        }
    }

    /// Has the deliveries of streams that don't run take up filter stacks that were stored, among these streams.
    func editIdleSinks(of ids: some Sequence<String>) async {
        guard let deliveries = around.deliveries, let store = store as? any SinkStore else { return }
        let ids = Array(ids)
        do {
            // Those of a stream that could not run before are in the store alone.
            let stored = Set(try await store.sinks().map(\.stream))
            var open: [String] = []
            for id in ids where set[id] != nil && !isRunning(id) {
                if stored.contains(id) { open.append(id) } else if await deliveries.hasSinks(id) { open.append(id) }
            }
            for start in stride(from: 0, to: open.count, by: 64) {
                let part = open[start...].prefix(64).filter { set[$0] != nil && !isRunning($0) }
                await editSinks(of: Set(part), try await checked([], part, keeping: Set(part)))
            }
        } catch is CancellationError {
            // The caller is gone, and the sinks still have the old stack.
            if !isEnding { around.perform { await self.editIdleSinks(of: ids) } }
        } catch {
            around.settings.logger.error("sinks can't take up a stack: \(error)")
        }
    }

    private func editSinks(of ids: Set<String>, _ change: CheckedChange) async {
        for id in ids {
            guard case .stored(let stored)? = change.job.sources[id] else { continue }
            let versions = change.versions(of: id)
            let isCurrent = await editSinks(of: id, at: stored.revision, check: change.checks[id], versions)
            if !isCurrent, !isEnding { around.perform { await self.editIdleSinks(of: [id]) } }
        }
    }

    /// Has the deliveries of a stream that doesn't run take up its document as it is now. Where it runs, its run does that.
    ///
    /// - Parameters:
    ///   - id: the stream.
    ///   - revision: the revision that was compiled. If it is not the stored one any more, the later edit has its sinks taken up.
    ///   - check: the compiled document.
    ///   - versions: the revisions of the documents that it was compiled from besides itself.
    /// - Returns: `false` if one of those is not the stored one any more.
    @discardableResult
    func editSinks(
        of id: String,
        at revision: Int,
        check: DocumentCheck?,
        _ versions: [String: Int] = [:]
    ) async -> Bool {
        guard let deliveries = around.deliveries, let compiled = check?.compiled, !isRunning(id), !isLeased(id) else {
            return true
        }
        guard let run = try? await store.run(of: id) else { return true }
        let hasSinks = await deliveries.hasSinks(id)
        if compiled.sinks.isEmpty, !hasSinks { return true }
        // All of them may have changed while the store was read.
        guard set[id]?.stored.revision == revision, !isRunning(id) else { return true }
        guard versions.allSatisfy({ set[$0.key]?.stored.revision == $0.value }) else { return false }
        deliveries.use(compiled.sinks, of: id, after: OutputPlace(run: run.run, sequence: run.outputs))
        return true
    }

    private func isRunning(_ id: String) -> Bool {
        let state = around.bus.status(of: id)?.state
        return state == .running || state == .paused
    }

    /// Ends the run of a stream with the error of a sink.
    func fail(_ id: String, _ error: String) async {
        guard let run = runs[id], let state = around.bus.status(of: id)?.state, state.goesOn else { return }
        await run.command { await run.fail(error) }
    }

    /// Returns the sinks of a stream as JSON.
    func sinks(of id: String) async throws -> JSON {
        let document = try document(id)
        let statuses = try await around.deliveries?.status(of: id) ?? []
        if !statuses.isEmpty { return .array(statuses.map(\.json)) }
        if let report = leasedReports[id], !report.sinks.isEmpty {
            return report.json(deadLetters: try await (store as? any SinkStore)?.deadLetterCounts(of: id) ?? [:])
        }
        // Nothing of it runs, or has run since the start of the hub.
        let size = document.stored.text.utf8.count
        let sinks = try await compiler.perform(size: size) { [parsed = compiler.parsed] in
            try parsed.document(document.stored).sinks
        }
        if sinks.isEmpty { return [] }
        let stored = try await (store as? any SinkStore)?.sinks(of: id) ?? []
        let letters = try await (store as? any SinkStore)?.deadLetterCounts(of: id) ?? [:]
        return .array(
            sinks.map { sink in
                let known = stored.first { $0.id == sink.id }
                return SinkStatus(idle: sink, known, deadLetters: letters[sink.id ?? ""] ?? 0).json
            }
        )
    }

    /// Returns the store of dead letters, after checking that there is a stream.
    ///
    /// - Throws: ``Problem``.
    func letters(of id: String) throws -> any SinkStore {
        _ = try document(id)
        guard let store = store as? any SinkStore else { throw Problem(.notFound, "this hub keeps no dead letters") }
        return store
    }

    /// Returns a dead letter of a stream; `nil` if it does not exist.
    func letter(_ number: Int, of id: String) async throws -> StoredDeadLetter? {
        try await letters(of: id).deadLetter(number, of: id)
    }

    /// Drops a dead letter of a stream.
    func dropLetter(_ number: Int, of id: String) async throws {
        // A member's sink may wait for the room.
        if try await forward(.drop(letter: number), of: id) != nil { return }
        if let deliveries = around.deliveries { return try await deliveries.drop(number, of: id) }
        try await letters(of: id).removeDeadLetter(number, of: id)
    }

    /// Performs a command on a sink.
    ///
    /// - Parameters:
    ///   - command: the command that a member performs that runs the stream.
    ///   - sink: the sink.
    ///   - id: the stream.
    ///   - act: Performs it; returns `nil` where there is no such sink, and `false` where there was nothing to do.
    /// - Throws: ``Problem``.
    func command(
        _ command: LeasedCommand,
        on sink: String,
        of id: String,
        _ act: @Sendable (Deliveries) async throws -> Bool?
    ) async throws -> JSON {
        _ = try document(id)
        var (isDone, answer): (Bool?, JSON?)
        if case .sinks(let text, let isFound)? = try await forward(command, of: id) {
            (isDone, answer) = (isFound, try JSON(parsing: text))
        } else if let lease = leases[id], lease.group != nil {
            throw Problem(.conflict, "the stream's sinks deliver on a member of a group, and \(holder(of: lease))")
        } else {
            do {
                if let deliveries = around.deliveries { isDone = try await act(deliveries) }
            } catch let error as DeadLettersFullError {
                throw Problem(.conflict, error.description)
            }
        }
        guard let isDone else {
            throw Problem(.notFound, "the stream delivers to no sink '\(Problem.shown(sink))': start it first")
        }
        guard isDone else {
            throw Problem(.conflict, "the sink '\(Problem.shown(sink))' has no delivery that has failed")
        }
        if let answer { return answer }
        return try await sinks(of: id)
    }
}
#endif
