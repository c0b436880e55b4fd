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
        if streams.isEmpty { streams = try await store.create(DefaultStreams.make(), by: "sluice") }
        for document in await Self.documents(of: streams) { set.put(document) }
        for group in try await store.groups() {
            groups[group.name] = HubGroup(name: group.name, streams: group.streams, ring: limits.eventRing)
        }
        guard around.settings.isDurable else { return }
        for head in try await store.runs() where set[head.stream] != nil {
            waiting[head.stream] = head
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
        if !around.settings.isPaused {
            let ids = set.ids.filter { waiting[$0]?.goesOn ?? false }
            await withTaskGroup(of: Void.self) { group in
                for (index, id) in ids.enumerated() {
                    // A few at a time, so that requests are answered meanwhile.
                    if index >= 4 { await group.next() }
                    group.addTask { _ = try? await self.run(id) }
                }
            }
        }
        await checkAll()
    }

    /// Compiles the documents that were not compiled yet, some at a time.
    private func checkAll() async {
        var open = set.ids.filter { set[$0]?.isChecked == false }
        while !open.isEmpty, !isEnding {
            let part = open.suffix(64).filter { set[$0]?.isChecked == false }
            open.removeLast(min(64, open.count))
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
        guard let document = set[id] else { return nil }
        let job = set.job(checking: [id])
        let documents = try await documents(of: stored, job)
        let program = try await compiler.perform(size: documents.reduce(0) { $0 + $1.text.utf8.count }) {
            [parsed = compiler.parsed] in
            let texts = try documents.map { try parsed.document($0) }
            return RunProgram(
                document: texts[0],
                revision: stored.revision,
                library: StreamLibrary(texts),
                documents: documents
            )
        }
        guard set[id] != nil, runs[id] == nil, !isEnding else { return runs[id] }
        let run = RunSupervisor(id, program, around.runs)
        runs[id] = run
        do {
            try await run.resume(
                around.settings.isPaused ? stored.paused : stored,
                journal: try await store.journal(of: id)
            )
        } catch {
            await run.fail("it can't be resumed: \(error)")
        }
        // The run continues from the documents that it was compiled from, and is then edited to the stored ones.
        if program.revisions == job.revisions, document.errors.isEmpty {
            _ = set.note(DocumentCheck(own: [], all: [], compiled: nil, references: []), of: id)
        } else {
            await recheck([id])
        }
        return run
    }

    /// Returns the documents that a run was compiled from. A store of an older version has none: there it is its own
    /// revision, and what it refers to as it is now.
    private func documents(of run: StoredRun, _ job: CompileJob) async throws -> [StoredStream] {
        if !run.documents.isEmpty { return run.documents }
        guard case .stored(let current)? = job.sources[run.stream] else { return [] }
        let own = run.revision == current.revision ? nil : try await store.revision(run.revision, of: run.stream)
        let others = job.sources.values.compactMap { source -> StoredStream? in
            guard case .stored(let stored) = source, stored.id != run.stream else { return nil }
            return stored
        }
        return [own ?? current] + others
    }
}

extension RunProgram {
    /// The revisions of the documents that it is compiled from.
    fileprivate var revisions: [String: Int] {
        Dictionary(documents.map { ($0.id, $0.revision) }) { first, _ in first }
    }
}

extension CompileJob {
    /// The revisions of its documents.
    fileprivate var revisions: [String: Int] {
        sources.compactMapValues { source in
            guard case .stored(let stored) = source else { return nil }
            return stored.revision
        }
    }
}

extension StoredRun {
    /// A Boolean value that indicates whether the run was running when the hub ended.
    var goesOn: Bool { RunState(rawValue: state)?.goesOn ?? false }

    /// The run with its time standing still.
    fileprivate var paused: StoredRun {
        StoredRun(
            stream: stream,
            run: run,
            revision: revision,
            state: state,
            isPaused: true,
            speed: speed,
            error: error,
            savedAt: savedAt,
            checkpoint: checkpoint,
            outputs: outputs,
            documents: documents
        )
    }
}
