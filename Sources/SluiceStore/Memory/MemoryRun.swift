import Foundation
import SluiceStreams

/// What a store in memory keeps of a stream's last run, without its outputs.
struct MemoryRun {
    private(set) var stored: StoredRun
    private(set) var journal: [StreamInput]

    /// What is stored after a commit, and the outputs that are new in it.
    static func after(_ commit: RunCommit, _ old: MemoryRun?) throws -> (run: MemoryRun, new: [StoredOutput]) {
        let base = try commit.base(old?.stored)
        let new = try commit.newOutputs(after: base?.outputs ?? 0)
        let journal = commit.checkpoint == nil && base != nil ? old?.journal ?? [] : []
        let stored = StoredRun(
            stream: commit.stream.key,
            run: commit.run,
            revision: commit.revision,
            state: commit.state,
            isPaused: commit.isPaused,
            speed: commit.speed,
            error: commit.error,
            savedAt: commit.savedAt.stored,
            checkpoint: commit.checkpoint ?? base?.checkpoint,
            outputs: (base?.outputs ?? 0) + new.count
        )
        return (MemoryRun(stored: stored, journal: journal + commit.inputs), Array(new))
    }
}
