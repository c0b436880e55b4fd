#if NATS
import Foundation
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The groups that move with their keys to the partitions of the next division.
extension PartitionRun {
    /// Returns the operator of a document whose groups move to the next division.
    nonisolated func moving(_ document: StreamDocument) -> MovingOperator? {
        guard generation.end != nil, let next else { return nil }
        if generation.by != nil, next.by != nil, generation.parameters != next.parameters { return nil }
        return document.movingOperator(from: generation.by, to: next.by)
    }

    /// Has the run give its groups away, once, when its source is at the end: it ends here, and goes on without them.
    ///
    /// Once begun, it is done in a task of its own, so that what is stored and what the store has in memory are the same.
    func handOver(from store: PartitionStore) async {
        guard mark.isHeldAtEnd.withLock({ $0 }), store.handed == nil, store.hasReadAll, !isClosing, let held else {
            return
        }
        let timer = surroundings.environment.timer
        guard timer.now >= nextHandOver, (try? await store.runState()) == .running else { return }
        // Should it fail: the run is closed for each attempt.
        nextHandOver = timer.now.advanced(byClamping: Self.handOverPause.wholeNanoseconds)
        self.held = nil
        await Task {
            await held.close(isLost: false, isCheckpointed: true)
            do { try await storeGroups(of: store) } catch {
                if !isOver { surroundings.report(.problem("\(unit): the groups can't be handed over: \(error)")) }
            }
        }.value
        guard !isOver, !isEnding, !isClosing else { return }
        let again = make(store)
        self.held = again
        await open(again)
    }

    private func storeGroups(of store: PartitionStore) async throws {
        // Otherwise the next attempt gives them away.
        guard let (stored, checkpoint) = try await store.completeCheckpoint(), stored.goesOn else { return }
        let document = try await surroundings.program(stored, store).document
        let taken = try moving(document).flatMap { try checkpoint.takingGroups(of: $0) }
        let groups = HandedGroups(
            from: unit.partition,
            by: generation.by,
            groups: taken?.groups,
            savedAt: stored.savedAt,
            revision: stored.revision,
            documents: stored.documents
        )
        let rest = taken.map { taken in
            RunCommit(
                stream: unit.stream,
                run: stored.run,
                revision: stored.revision,
                state: stored.state,
                isPaused: stored.isPaused,
                speed: stored.speed,
                savedAt: stored.savedAt,
                checkpoint: taken.rest.text
            )
        }
        try await store.handOver(groups, rest: rest)
    }

    /// Gives the groups to the partitions of the next division.
    func depositGroups(of store: PartitionStore) async throws {
        guard !isDeposited, let next, let handed = store.handed else { return }
        for (partition, groups) in try handed.divided(into: next.count) {
            try await PartitionLog.deposit(
                try PartitionStore.arrival(of: groups),
                to: WorkUnit(unit.stream, next.number, partition).subject(in: surroundings.group),
                over: surroundings.connection,
                clock: surroundings.clock
            ) { [membership = surroundings.membership, mark] in
                guard let epoch = membership.epoch, !mark.isOver.withLock({ $0 }) else { return false }
                return mark.verified.withLock { $0 } == epoch
            }
        }
        isDeposited = true
    }

    /// Returns the run that begins with groups of the division before. Those that came with an earlier document take the later
    /// ones up as live edits.
    func beginning(with arrived: [HandedGroups], in store: PartitionStore) async throws -> RunCommit {
        let host = surroundings.environment.settings.host
        let limits = surroundings.environment.settings.limits
        let first = arrived.map(\.savedAt).min() ?? Date()
        var last: (compiled: CompiledDocument, checkpoint: StreamCheckpoint, documents: [StoredStream], revision: Int)?
        for version in Dictionary(grouping: arrived, by: { $0.documents.map { "\($0.id) \($0.revision)" } }).values
            .sorted(by: { ($0[0].revision, $0[0].from) < ($1[0].revision, $1[0].from) })
        {
            let (documents, revision) = (version[0].documents, version[0].revision)
            let stored = StoredRun(
                stream: unit.stream,
                run: 1,
                revision: revision,
                state: RunState.running.rawValue,
                isPaused: false,
                speed: 1,
                error: nil,
                savedAt: first,
                checkpoint: nil,
                outputs: 0,
                documents: documents
            )
            let program = try await surroundings.program(stored, store)
            let compiled = try CompiledDocument(program.document, in: program.library, isWatched: false)
            guard let moving = program.document.movingOperator(from: version[0].by, to: generation.by) else { continue }
            var parts = version.compactMap { handed in
                // The log is not trusted: its times are bounded.
                let later = min(max(0, handed.savedAt.timeIntervalSince(first)), 1e8)
                return handed.groups.map { (groups: $0, later: Duration.seconds(later.isNaN ? 0 : later)) }
            }
            if let last {
                let run = try StreamRun(
                    beforeReplayOf: last.compiled,
                    from: last.checkpoint,
                    host: host,
                    limits: limits
                )
                defer { run.close() }
                try run.edit(to: CompiledDocument(program.document, in: program.library, isWatched: false))
                let kept = try run.checkpoint().takingGroups(of: moving)
                if let kept { parts.insert((kept.groups, .zero), at: 0) }
            }
            let checkpoint = try StreamCheckpoint.beginning(compiled, moving, with: parts, host: host, limits: limits)
            last = (compiled, checkpoint, documents, revision)
        }
        guard let last else { throw StoreError(.missing(id: unit.stream)) }
        return RunCommit(
            stream: unit.stream,
            run: 1,
            isNewRun: true,
            revision: last.revision,
            state: RunState.running.rawValue,
            savedAt: first,
            checkpoint: last.checkpoint.text,
            documents: last.documents
        )
    }
}
#endif
