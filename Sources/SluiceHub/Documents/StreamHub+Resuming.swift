#if Hub
import Logging
import SluiceFilters
import SluiceRuns
import SluiceStore
import SluiceStreams

extension StreamHub {
    /// Reads the documents and groups of the store, and gives an empty one the streams of the seed's program.
    ///
    /// Nothing is compiled, and no run is resumed: the hub can listen after this.
    func open() async throws {
        var streams = try await store.list()
        if streams.isEmpty {
            do { streams = try await store.create(DefaultStreams.make(), by: "sluice") } catch let error as StoreError {
                // Another hub of the same store has begun at the same time.
                guard case .taken = error.kind, store is SharedStreamStore else { throw error }
            }
        }
        for document in await Self.documents(of: streams) {
            set.put(document)
            noteStack(document)
        }
        for group in try await store.groups() {
            groups[group.name] = HubGroup(name: group.name, streams: group.streams, ring: limits.eventRing)
        }
        guard around.settings.isDurable else { return }
        await around.deliveries?.onFailure { [weak self] stream, error in await self?.fail(stream, error) }
        try await openLeases()
        for head in try await store.runs() where set[head.stream] != nil {
            if !isLeased(head.stream) { waiting[head.stream] = head }
            around.bus.publish(status(of: head), isNew: true)
        }
    }

    /// Parses documents on all processors.
    private static func documents(of streams: [StoredStream]) async -> [HubDocument] {
        let starts = stride(from: 0, to: streams.count, by: 256)
        return await withTaskGroup(of: (start: Int, documents: [HubDocument]).self) { group in
            for start in starts {
                let part = streams[start...].prefix(256)
                group.addTask { (start, part.map(HubDocument.init(reading:))) }
            }
            let parts = await group.reduce(into: [:]) { $0[$1.start] = $1.documents }
            return starts.flatMap { parts[$0] ?? [] }
        }
    }

    /// Resumes the runs that were running when the hub ended, or was killed, and checks all documents.
    ///
    /// A run that can't be resumed reports it, and takes no other along. With `HubSettings.isPaused` no run is resumed.
    func resumeAll() async {
        await DocumentCompiler.$background.withValue(BackgroundWork()) { await resumeInBackground() }
    }

    private func resumeInBackground() async {
        if !around.settings.isPaused {
            let ids = set.ids.filter { waiting[$0]?.goesOn ?? false }
            await withTaskGroup(of: Void.self) { group in
                for (index, id) in ids.enumerated() {
                    // A few at a time, so that requests are answered meanwhile.
                    if index >= 4 { await group.next() }
                    group.addTask { _ = try? await self.run(id) }
                }
            }
            await resumeSinks()
        }
        await checkAll()
    }

    /// Compiles the documents that were not compiled yet, a few at a time: what others do in the background waits for them.
    private func checkAll() async {
        let checkedTogether = 8
        var open = set.ids.filter { set[$0]?.isChecked == false }
        while !open.isEmpty, !isEnding {
            let part = open.suffix(checkedTogether).filter { set[$0]?.isChecked == false }
            open.removeLast(min(checkedTogether, open.count))
            await recheck(Set(part))
        }
    }

    /// Returns the status of a run that was not opened yet.
    private func status(of head: StoredRun) -> RunStatus {
        var status = RunStatus(stream: head.stream, pace: Pace(at: around.timer.now, speed: head.speed, isPaused: true))
        (status.run, status.revision, status.error) = (head.run, head.revision, head.error)
        status.state = RunState(rawValue: head.state) ?? .idle
        if status.state.goesOn, around.settings.isPaused { status.state = .paused }
        return status
    }

    /// Resumes a stored run with the documents that it was compiled from.
    ///
    /// - Returns: `nil` where the stream is gone.
    func resume(_ stored: StoredRun) async throws -> RunSupervisor? {
        let id = stored.stream
        guard set[id] != nil else { return nil }
        let program = try await compiler.program(resuming: stored, set.job(checking: [id]), in: store)
        guard let document = set[id], runs[id] == nil, !isEnding else { return runs[id] }
        let run = RunSupervisor(id, program, around.runs)
        runs[id] = run
        // The document as it is now: somebody may have edited it while the one that ran was compiled.
        let job = set.job(checking: [id])
        let isCurrent = program.versions == job.versions && document.errors.isEmpty
        do {
            try await run.resume(
                around.settings.isPaused ? stored.paused : stored,
                journal: try await store.journal(of: id),
                isEditExpected: !isCurrent
            )
        } catch  where error.isOfTheStore && stored.goesOn && !stored.isPaused && !around.settings.isPaused {
            await run.resumeLater(stored)
        } catch {
            await run.fail("it can't be resumed: \(error)")
        }
        // The run continues from the documents that it was compiled from, and is then edited to the stored ones.
        if isCurrent, set.job(checking: [id]).matches(job) {
            _ = set.note(DocumentCheck(own: [], all: [], compiled: nil, references: []), of: id)
        } else {
            await recheck([id])
        }
        return run
    }
}
#endif
