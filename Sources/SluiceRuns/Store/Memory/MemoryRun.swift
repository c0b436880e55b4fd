import SluiceStreams

/// The last run of a stream in memory, without its outputs.
struct MemoryRun {
    let stored: StoredRun
    let journal: [StreamInput]

    /// Returns the run after a commit, and the outputs that the commit adds.
    ///
    /// - Parameters:
    ///   - last: the run before the commit.
    ///   - number: the number of the last run that was removed.
    static func after(
        _ commit: RunCommit,
        _ last: MemoryRun?,
        _ number: Int
    ) throws -> (run: MemoryRun, new: ArraySlice<StoredOutput>) {
        let base = try commit.isContinuation(of: last?.stored.run, after: number) ? last : nil
        let count = base?.stored.outputs ?? 0
        let new = try commit.newOutputs(after: count)
        let stored = StoredRun(
            stream: commit.stream.key,
            run: commit.run,
            revision: commit.revision,
            state: commit.state,
            isPaused: commit.isPaused,
            speed: commit.speed,
            error: commit.error,
            savedAt: commit.savedAt.stored,
            checkpoint: commit.checkpoint ?? base?.stored.checkpoint,
            outputs: count + new.count,
            documents: (commit.documents ?? base?.stored.documents ?? []).map(\.withoutTime)
        )
        let journal = commit.checkpoint == nil ? (base?.journal ?? []) + commit.inputs : []
        return (MemoryRun(stored: stored, journal: journal), new)
    }
}

extension StoredStream {
    /// The document without the time at which it was written.
    fileprivate var withoutTime: StoredStream { StoredStream(id: id.key, revision: revision, name: name, text: text) }
}
