package import SluiceStreams

extension DocumentCompiler {
    /// Returns the program of a stored run, compiled from the documents that it was compiled from before.
    ///
    /// A store of an older version has none of them. There the program is the run's own revision, and what that refers to
    /// as it is now.
    ///
    /// - Parameters:
    ///   - run: the run, with its documents.
    ///   - job: the job that compiles the stream as it is stored now.
    ///   - store: the store of the run.
    /// - Throws: `JSONErrors` when a document isn't a JSON object; `StoreError`.
    package func program(
        resuming run: StoredRun,
        _ job: CompileJob,
        in store: any StreamStore
    ) async throws -> RunProgram {
        let documents = try await documents(of: run, job, in: store)
        return try await perform(size: documents.reduce(0) { $0 + $1.text.utf8.count }) { [parsed] in
            let texts = try documents.map { try parsed.document($0) }
            guard let own = texts.first else { throw StoreError(.missing(id: run.stream)) }
            var library = StreamLibrary(texts)
            for (text, stored) in zip(texts, documents) where text.id != stored.id { library.add(text, as: stored.id) }
            return RunProgram(
                document: own,
                revision: run.revision,
                library: library,
                documents: documents,
                // The run reports the errors of documents that no longer compile.
                compiled: run.goesOn ? try? CompiledDocument(own, in: library) : nil
            )
        }
    }

    private func documents(
        of run: StoredRun,
        _ job: CompileJob,
        in store: any StreamStore
    ) async throws -> [StoredStream] {
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

extension DocumentSet {
    /// Returns the program of a document that was compiled; `nil` where the document is gone.
    ///
    /// - Parameter references: the ids of the documents that it was compiled from besides itself.
    package func program(_ id: String, _ compiled: CompiledDocument, _ references: [String]) -> RunProgram? {
        guard let stored = self[id]?.stored else { return nil }
        return RunProgram(
            document: compiled.document,
            revision: stored.revision,
            library: compiled.library,
            documents: [stored] + references.compactMap { self[$0]?.stored },
            generation: changes,
            compiled: compiled
        )
    }
}

extension StoredRun {
    /// A Boolean value that indicates whether the run was running when the process ended.
    package var goesOn: Bool { RunState(rawValue: state)?.goesOn ?? false }

    /// The run with its time paused.
    package var paused: StoredRun {
        var run = self
        run.isPaused = true
        return run
    }
}
